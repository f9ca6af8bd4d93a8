"""From a feed or a page to articles, and from an article to a storyboard request. Pure: bytes in, values out.

Needs the extra ``[articles]`` (feedparser, trafilatura, sentencex), imported when first used.
"""
