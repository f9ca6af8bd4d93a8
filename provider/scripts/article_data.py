"""An article's text as data for a model: what speaks to the model in it is left out, and supports nothing."""
# ruff: noqa: RUF001 - it knows the letters of other languages

from __future__ import annotations

import re

from .checks.orders import asks_to_say
from .checks.plain_words import plain

MOST_CHARACTERS = 100_000
"""How much of an article a model gets, and a script may rest on (ours): a book's chapter has fewer."""

# An article about such orders loses the paragraphs that quote them.
_TO_MODELS = re.compile(
    # An order begins a sentence or a clause; "the council ignored the rules" does not.
    r"(?:^|[.!?:;,()\[\]\"“»-]|\b(?:and|must|should|please|now|bitte|und|et|y|e|i|и))[^\S\n]*"
    r"(?:ignor(?:e|iere|ieren|iert|ez|a|ad|ar|are|eer|uj|era|er)|disregard|forget|override|bypass|vergiss|vergesst|missachte\w*|oublie[zr]?"
    r"|olvid\w+|haz caso omiso|dimentica\w*|negeer|vergeet|esque[cç]\w+|zignoruj"
    r"|игнорируй\w*|забудь\w*)\b[^.!?\n]{0,60}?"
    r"\b(?:instruction|instruktion|prompt|direction|directive|guideline|rule"
    r"|anweisung|anleitung|vorgabe|regel|consigne|instrucci"
    r"|indicaci|orden|istruzion|indicazion|instructie|aanwijzing|regels|instru[cç]|regra|polece\w*"
    r"|instrukc|инструкц|указани|правил)"
    r"|(?:^|[.!?:;]|\b(?:and|please|bitte))[^\S\n]*(?:ignor\w{1,4}|disregard|forget|vergiss|vergesst|oublie[zr]?|olvida|dimentica|negeer|vergeet)\b"
    r"[^.!?\n]{0,20}\b(?:everything|all|anything|alles|tout|todo|tutto)\b[^.!?\n]{0,30}"
    r"\b(?:above|before|previous\w*|earlier|told|oben|vorher\w*|précède|anterior|sopra|precede\w*|hierboven)\b"
    # "Olvida lo anterior", "do not use the figures above", "ne tenez pas compte des règles"
    r"|(?:^|[.!?:;]|\b(?:and|please|bitte|y|et|e))[^\S\n]*(?:olvid\w{1,3}|oublie[zr]?|dimentica\w{0,2}|esque[cç]\w{1,3})"
    r" (?:lo|ce qui|ciò che|o que)\b[^.!?\n]{0,20}\b(?:anterior|précède|precede|vem antes)\b"
    r"|(?:^|[.!?:;])[^\S\n]*(?:do not|don't|never) (?:use|trust|repeat)"
    r" the \w+ (?:above|of this article|in this article)\b"
    r"|\bne (?:tenez|tiens) (?:pas|aucun) compte des? (?:règles|consignes|instructions|indications)\b"
    r"|\bsystem override\b"
    r"|\b(?:if|when|wenn|falls|si|se|als) (?:you|du|sie|vous|tu|usted|je) [^.!?\n]{0,40}"
    r"\b(?:scripts?|skript|video|résumé|guion|summary|zusammenfassung)\b[^.!?\n]{0,20}"
    r"\b(?:this|daraus|hieraus|of it|from it|de ce|de este|hiervan)\b"
    r"|\bnew instructions?\s{0,3}:|\b(?:to|for|an|à|a|voor) (?:the |die |all |alle )?(?:AI|KI|IA|LLM)s?\s{0,3}:"
    r"|</?(?:system|article|instructions?|assistant|prompt)>|^#{1,6} ?(?:system|instructions?)\b"
    r"|\b(?:you are|you're|du bist|sie sind|tu es|vous êtes|eres|sei|jij bent|você é|jesteś|ты)\b[^.!?\n]{0,30}?"
    r"\b(?:AI|KI|IA|chatbot|assistant|assistent|asistente|assistente|language model"
    r"|sprachmodell|modèle de langage|ИИ)\b"
    r"|\b(?:AI|KI|IA|ИИ|LLM|language|GPT|chatbot)[- ]?"
    r"(?:models?|assistants?|systems?|systeme?n?|agents?|bots?|modelle?n?)\b[^.!?\n]{0,60}?"
    r"\b(?:must|should|please|reading|summari[sz]\w+|müssen|sollen|bitte|vergiss\w*|doivent|deben|devono)\b"
    r"|\b(?:AI|KI|IA|ИИ|LLM)(?:s|[- ]\w{1,15})?,? (?:and )?(?:not for|nicht für|pas pour|no para|non per|niet voor) "
    r"|\b(?:if|when|wenn|si|se|als|quando|gdy|если)\b[^.!?\n]{0,30}?\b(?:AI|KI|IA|LLM|ИИ|language model|sprachmodell)\b"
    r"|\b(?:when|while|before|if you|when you|wenn sie|wenn du)\b[^.!?\n]{0,20}?"
    r"\bsummari[sz](?:e|ing)\b[^.!?\n]{0,30}?\b(?:page|article|text|content)\b"
    r"|\bsystem ?prompt\b|^[^\S\n]*(?:system|assistant|developer)\s*:|\[/?INST\]|<\|[a-z_]+\|>"
    r"|忽略[^。\n]{0,20}(?:指令|指示|提示)|(?:指示|命令)[をは](?:すべて|全て)?無視",
    re.IGNORECASE | re.MULTILINE,
)

_LOOKALIKES = str.maketrans("АВЕІКМНОРСТУХасеіорху", "ABEIKMHOPCTYXaceiopxy")
"""Letters of another alphabet in which an order may be written."""


def speaks_to_models(paragraph: str) -> bool:
    """Whether a paragraph gives orders to whoever writes the script (source: ours).

    :param paragraph: of an article, or a text of a script.
    """
    text = plain(paragraph)
    return any(_TO_MODELS.search(each) for each in {text, text.translate(_LOOKALIKES)})


def gives_orders(paragraph: str) -> bool:
    """Whether a paragraph of an article speaks to a model, or asks politely for words in a video (source: ours).

    :param paragraph: of an article.
    """
    return speaks_to_models(paragraph) or asks_to_say(plain(paragraph))


def without_orders(text: str) -> str:
    """An article's text without the paragraphs that speak to a model, and no longer than one reads (source: ours).

    :param text: one paragraph a line.
    """
    return "\n".join(line for line in text[:MOST_CHARACTERS].splitlines() if not gives_orders(line))
