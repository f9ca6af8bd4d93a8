"""An article's text as data for a model: what speaks to the model in it is left out, and supports nothing."""

from __future__ import annotations

import re

# An article about such orders loses the paragraphs that quote them.
_TO_MODELS = re.compile(
    # An order begins a sentence or a clause; "the council ignored the rules" does not.
    r"(?:^|[.!?:;,()\[\]\"“»-]|\b(?:and|must|should|please|now|bitte|und|et|y|e|i|и))\s*"
    r"(?:ignor(?:e|iere|ieren|iert|ez|a|ad|ar|are|eer|uj)|disregard|forget|override|bypass|vergiss|vergesst|missachte\w*|oublie[zr]?"
    r"|olvid\w+|haz caso omiso|dimentica\w*|negeer|vergeet|esque[cç]\w+|zignoruj"
    r"|игнорируй\w*|забудь\w*)\b[^.!?\n]{0,60}?"
    r"\b(?:instruction|instruktion|prompt|direction|directive|guideline|rule"
    r"|anweisung|anleitung|vorgabe|regel|consigne|instrucci"
    r"|indicaci|orden|istruzion|indicazion|instructie|aanwijzing|regels|instru[cç]|regra|polece\w*"
    r"|instrukc|инструкц|указани|правил)"
    r"|\b(?:you are|you're|du bist|sie sind|tu es|vous êtes|eres|sei|jij bent|você é|jesteś|ты)\b[^.!?\n]{0,30}?"
    r"\b(?:AI|KI|IA|chatbot|assistant|assistent|asistente|assistente|language model"
    r"|sprachmodell|modèle de langage|ИИ)\b"
    r"|\b(?:AI|KI|IA|ИИ|LLM|language|GPT|chatbot)[- ]?"
    r"(?:models?|assistants?|systems?|systeme?n?|agents?|bots?|modelle?n?)\b[^.!?\n]{0,60}?"
    r"\b(?:must|should|please|reading|summari[sz]\w+|müssen|sollen|bitte|vergiss\w*|doivent|deben|devono)\b"
    r"|\b(?:if|when|wenn|si|se|als|quando|gdy|если)\b[^.!?\n]{0,30}?\b(?:AI|KI|IA|LLM|ИИ|language model|sprachmodell)\b"
    r"|\b(?:when|while|before|if you|when you|wenn sie|wenn du)\b[^.!?\n]{0,20}?"
    r"\bsummari[sz](?:e|ing)\b[^.!?\n]{0,30}?\b(?:page|article|text|content)\b"
    r"|\bsystem ?prompt\b|^\s*(?:system|assistant|developer)\s*:|\[/?INST\]|<\|[a-z_]+\|>"
    r"|忽略[^。\n]{0,20}(?:指令|指示|提示)|(?:指示|命令)を(?:すべて|全て)?無視",
    re.IGNORECASE | re.MULTILINE,
)


def speaks_to_models(paragraph: str) -> bool:
    """Whether a paragraph gives orders to whoever writes the script (source: ours).

    :param paragraph: of an article, or a text of a script.
    """
    return bool(_TO_MODELS.search(paragraph))


def without_orders(text: str) -> str:
    """An article's text without the paragraphs that speak to a model (source: ours).

    :param text: one paragraph a line.
    """
    return "\n".join(line for line in text.splitlines() if not speaks_to_models(line))
