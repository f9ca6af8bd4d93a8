"""From a transcript or a podcast's feed to a storyboard request. Pure: bytes in, values out.

Needs the extra ``[articles]`` (webvtt-py, sentencex, feedparser), imported when first used.
"""
