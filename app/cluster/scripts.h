#pragma once

#include <string_view>

/// The texts of the files *.sh in this folder, and of assets/cluster/slurm.tmpl.
namespace pericenter::app::scripts {

extern const std::string_view k_check, k_folder, k_run, k_start, k_state, k_cancel, k_slurm;

}  // namespace pericenter::app::scripts
