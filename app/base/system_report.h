#pragma once

#include <string>

namespace pericenter::app {

// Parts of the system report, which helps others to find out why something does not work: lines "name: value" without
// the names of user and computer. Each part may be missing: the log has them as soon as they are known.

/// Version and build, system, processor, memory, graphics drivers of the kernel, environment variables that change
/// OpenGL or CUDA, the folder with the settings.
std::string machine_report(const std::string& settings_folder);

/// Number of threads that the program may use at once, as oneTBB counts them: with taskset, those of the given cores.
int usable_threads();

/// "AMD EPYC 7763 64-Core Processor, 128 threads".
std::string processor();

/// GPUs and versions of CUDA, or why it cannot be used. Takes some tenths of a second the first time.
std::string cuda_report();

/// The current OpenGL context.
std::string opengl_report();

/// `text` for other people to read: the home folder becomes ~. In paths, the names of the user and of this computer
/// become USER and HOST; elsewhere they may be ordinary words.
std::string without_personal_data(std::string text);

}  // namespace pericenter::app
