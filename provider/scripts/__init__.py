"""Scripts that a language model writes for an article, and their check by the article. Pure: texts in, values out.

Needs the extra ``[ai]`` (babel, simplemma, text2num), imported when first used.
"""
