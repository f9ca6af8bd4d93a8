"""From a storyboard to a film: its plan, what it fetches, its pictures, its soundtrack and its subtitles."""
