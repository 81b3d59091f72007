"""What every tool states: columns used, rows in and left out, numbers said, files written."""
