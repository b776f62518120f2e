#include "carom/engine/results/ledger.h"

namespace carom {
namespace {

constexpr LedgerRow kLedgerRows[] = {
    {"kinetic", "of all bodies", &Ledger::kinetic},
    {"potential", "in the field of gravity", &Ledger::potential},
    {"elastic", "in springs, stops, contacts and bristles", &Ledger::elastic},
    {"dissipated_normal", "by normal laws of contacts", &Ledger::dissipated_normal},
    {"dissipated_friction", "by friction of contacts and joints", &Ledger::dissipated_friction},
    {"dissipated_damping", "by dampers and stops", &Ledger::dissipated_damping},
    {"dissipated_step", "by implicit contact steps, beyond the laws", &Ledger::dissipated_step},
    {"drive_work", "of drives, loads and prescribed motions", &Ledger::drive_work},
    {"model_work", "of switches, and of forces that are no gradient", &Ledger::model_work},
    {"model_work_of_publications", "the part of it that published laws do", &Ledger::published,
     false},
    {"bristle_work", "of the load on the energy of bristles", &Ledger::bristle_work},
    {"residual", "what should be constant, minus its value at the start", &Ledger::residual},
};

}  // namespace

std::span<const LedgerRow> ledger_rows() { return kLedgerRows; }

}  // namespace carom
