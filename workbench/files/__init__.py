"""Names, places, lines and bytes: the files of a workspace, below the ledger."""
