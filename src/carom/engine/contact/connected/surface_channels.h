// Channels of connected surfaces: the contact area, and its points one by one.
#pragma once

#include "carom/engine/results/channels.h"

namespace carom {

/// "contact(a,b)" of two bodies or surfaces.
std::string watched_name(const Model& model, const WatchedPair& pair);

/// What only connected surfaces have; none for a pair of bodies.
std::vector<OutputChannel> surface_channels(const Model& model, const WatchedPair& pair,
                                            const std::string& name);

void put_surface_channel(const Workspace& w, const OutputChannel& c, std::span<double> out);

}  // namespace carom
