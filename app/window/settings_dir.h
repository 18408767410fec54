#pragma once

#include <string>

namespace pericenter::app {

/// The folder $XDG_CONFIG_HOME/pericenter or ~/.config/pericenter, which is created. Empty if it cannot be.
std::string settings_dir();

// Files in settings_dir(); empty if there is no such folder.
std::string layout_path();        ///< imgui.ini
std::string cameras_path();       ///< cameras.csv
std::string recent_files_path();  ///< recent_files.txt
std::string step_times_path();    ///< step_times.txt, see remembered_step()
std::string left_lessons_path();  ///< left_lessons.txt, see LeftLessons
std::string lessons_folder();     ///< lessons/, with lessons of the user

}  // namespace pericenter::app
