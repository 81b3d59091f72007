"""The walls of a process: system calls, files, memory and environment it may use."""
