"""Names of the files that belong to a finished video."""

VIDEO_FILE = "video.mp4"
THUMBNAIL_FILE = "thumbnail.jpg"
AUDIO_FILE = "audio.m4a"
SRT_FILE = "subtitles.srt"
VTT_FILE = "subtitles.vtt"
TEXT_FILE = "text.txt"
