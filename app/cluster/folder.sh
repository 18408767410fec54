# folder.sh FOLDER: makes the folder and prints its path from the root.
echo pericenter
mkdir -p -- "$1" && cd -- "$1" && echo "folder $(pwd -P)"
