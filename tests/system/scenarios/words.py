"""What the provider says in a task's log, word for word, by what it means."""

IN_DOUBT = "so it may have been accepted, and may be paid for. Nothing was sent again."
ATTACHED = "nothing is sent again"
CLEARED = "This task was cleared; job"
FAILED_BEFORE = "of an earlier try failed; submitting a new one"
NOT_STORED = "did not take that create storyboard is submitted"
GOES_ON = "goes on at the service, and may be paid for: the connection's extra paths names no cancel"
CANCELLED = "is cancelled, since its task was stopped"
