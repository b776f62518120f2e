// The energy ledger, and the one table of its rows: channels, summary and Python read it.
#pragma once

#include <span>

namespace carom {

/// Rows of the energy ledger [J].
struct Ledger {
  double kinetic = 0, potential = 0, elastic = 0;
  double dissipated_normal = 0, dissipated_friction = 0, dissipated_damping = 0;
  double dissipated_step = 0;  ///< by implicit steps, beyond what the laws take
  double drive_work = 0, model_work = 0;
  double bristle_work = 0;  ///< of the load on the energy of bristles
  double published = 0;     ///< the part of model_work that laws and surfaces after publications do
  double residual = 0;      ///< what should be constant, minus its value at the start
  double stored() const { return kinetic + potential + elastic; }
  double total() const {
    return kinetic + potential + elastic + dissipated_normal + dissipated_friction +
           dissipated_damping + dissipated_step - drive_work - model_work - bristle_work;
  }
};

struct LedgerRow {
  const char* name;
  const char* doc;
  double Ledger::*value;
  bool is_channel = true;  ///< recorded as energy.NAME; the others are told in summaries only
};

/// In the order in which they are told.
std::span<const LedgerRow> ledger_rows();

}  // namespace carom
