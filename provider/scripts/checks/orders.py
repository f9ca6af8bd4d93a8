"""Sentences that ask whoever makes a video of an article to say something in it, in polite words, too."""

from __future__ import annotations

import re

_ADDRESSED = re.compile(
    r"\b(?:assistants?|assistent(?:en|in)?|asistentes?|assistente|asystent\w*|chatbots?|language models?"
    r"|sprachmodelle?n?"
    r"|modèles? de langage|modelos? de lenguaje|modelos? de linguagem|modell[oi] linguistic[oi]"
    r"|taalmodel\w*|språkmodell\w*"
    r"|model\w* językow\w*|языков\w+ модел\w+|нейросет\w+|AIs?|KIs?|IAs?|LLMs?|GPT|ИИ|SI|bots?"
    r"|(?:automat\w*|automát\w*|machine|maschinell\w*|geautomatis\w*|zautomatyz\w*|автоматич\w*)"
    r" (?:\w+ )?(?:system\w*|sistem\w*|système\w*|reader\w*|summar\w*|auswert\w*|verarbeit\w*|zusammenfass\w*|trait\w*"
    r"|process\w*|tool\w*|verwerk\w*|elabora\w*|lettur\w*|lect\w*|resum\w*|leit\w*|bearbet\w*|systemów|обработ\w*)"
    r"|not (?:for|meant for|intended for) (?:human )?readers|nicht für (?:die )?leser|no para (?:los )?lectores"
    r"|pas (?:pour|destiné\w*) (?:les |aux )?lecteurs|non per i lettori|niet voor (?:de )?lezers|inte för läsare"
    r"|nie dla czytelników|não para (?:os )?leitores)\b"
    r"|AI|人工知能|言語モデル|自動要約|アシスタント|要約(?:する|を作成|プログラム|ツール)|人工智能|助手",
    re.IGNORECASE,
)
_MADE_OF_IT = re.compile(
    r"\b(?:videos?|vidéos?|vídeos?|wideo|film(?:mpje|en|em|u)?|filmik\w*|clips?|scripts?|skript\w*|guion\w*|roteiro\w*|manus\w*"
    r"|summar(?:y|ies|i[sz]\w+)|zusammenfassung\w*|résumés?|resumen\w*|resumos?|riassunt\w*|samenvatting\w*"
    r"|sammanfattning\w*|streszczen\w*|podsumowan\w*|видео|ролик\w*|сценари\w*|пересказ\w*|viewers?|zuschauer\w*"
    r"|spectat\w+|espectador\w*|telespectat\w*|kijkers?|tittar\w*|widz\w*|зрител\w*|voice-?over|narrat\w+|closing line"
    r"|last (?:line|sentence)|schlusssatz|letzte[nr]? satz|dernière phrase|última frase|ultima frase|laatste zin"
    r"|sista meningen|ostatni\w* zdani\w*)\b"
    r"|動画|ビデオ|映像|要約|まとめ|台本|視聴者|视频|摘要",
    re.IGNORECASE,
)
_SAY = (
    r"mention|say|state|tell|add|include|report|write|recommend|announce|note that|end with|close with|begin with"
    r"|start with|invite|claim|point out|remind"
)
_ASKED = re.compile(
    rf"\b(?:please|kindly|must|should|has to|have to|needs? to|would you|could you|can you|will you|be sure to"
    rf"|make sure (?:to|that)|remember to|do(?:n't| not) forget to|required to|asked to|instructed to|supposed to)\b"
    rf"[^.!?\n]{{0,60}}?\b(?:{_SAY}|invit\w+)\b"
    rf"|(?:^|[.!?:;\]\)]\s?)(?:{_SAY})\b"
    # German, Dutch, Swedish
    r"|\b(?:erwähne\w*|sage|sagen|füge\w*|schreibe\w*|weise\w*|nenne\w*|berichte\w*|ergänze\w*|empfehle\w*|empfiehl)"
    r" (?:sie|du|bitte|auch|unbedingt|immer|in|dass)\b|\b(?:bitte|muss|müssen|soll|sollen|sollte\w*)\b[^.!?\n]{0,80}?"
    r"\b(?:erwähn\w*|gesagt|sagen|genannt|nennen|schreiben|hinweisen|stehen|lauten|hinzu\w*|empfehlen|auffordern|enden)\b"
    r"|\b(?:vermeld|zeg|noem|schrijf|voeg)\b[^.!?\n]{0,30}?\b(?:dat|toe|ook|erbij|altijd|in)\b"
    r"|\b(?:moet|moeten|graag|gelieve|wil je|wilt u|alsjeblieft)\b[^.!?\n]{0,80}?"
    r"\b(?:vermeld\w*|zeggen|noemen|schrijven|toevoegen|eindigen|staan)\b"
    r"|\b(?:nämn|säg|skriv|tillägg|berätta)\b[^.!?\n]{0,30}?\b(?:att|också|även|alltid|i)\b"
    r"|\b(?:ska|måste|bör|vänligen|snälla)\b[^.!?\n]{0,60}?\b(?:nämn\w*|säg\w*|skriv\w*|berätta\w*|avsluta\w*)\b"
    # Romance
    r"|\b(?:mentionne[zr]?|dites|précise[zr]?|ajoute[zr]?|indique[zr]?|écrive[zr]?|veuillez|merci de|rappele[zr]?)\b"
    r"|\b(?:doit|doivent|devez|devra|il faut)\b[^.!?\n]{0,60}?"
    r"\b(?:mentionner|dire|préciser|ajouter|indiquer|inviter|rappeler)\b"
    r"|\b(?:mencion[ea]\w*|di(?:ga|gan)?|añad[ea]\w*|incluy[ea]\w*|indique\w*|recuerd[ea]\w*|escrib[ea]\w*|agregu?e\w*)"
    r"\b[^.!?\n]{0,40}?\bque\b|\b(?:debe|deben|debes|deberá\w*|hay que|tiene que|por favor)\b[^.!?\n]{0,60}?"
    r"\b(?:mencion\w*|decir|añadir|incluir|indicar|recordar|invitar|terminar)\b"
    r"|\b(?:menziona\w*|dite|dica|aggiung\w+|includ\w+|indica\w*|ricorda\w*|scriv\w+)\b[^.!?\n]{0,40}?\bche\b"
    r"|\b(?:deve|devono|dovete|bisogna|per favore|si prega di)\b[^.!?\n]{0,60}?"
    r"\b(?:menzion\w*|dire|aggiungere|includere|indicare|ricordare|invitare|terminare)\b"
    r"|\b(?:mencione\w*|diga\w*|acrescente\w*|inclua\w*|lembre\w*|escreva\w*)\b[^.!?\n]{0,40}?\bque\b"
    r"|\b(?:deve|devem|favor)\b[^.!?\n]{0,60}?\b(?:mencionar|dizer|acrescentar|incluir|lembrar|convidar|terminar)\b"
    # Polish, Russian
    r"|\b(?:wspomnij\w*|powiedz\w*|dodaj\w*|napisz\w*|zaznacz\w*|prosimy|proszę)\b|\b(?:musi|muszą|należy|powin\w+)\b"
    r"[^.!?\n]{0,60}?\b(?:wspomnie\w*|powiedzie\w*|doda\w*|napisa\w*|zawiera\w*|zakończ\w*)\b"
    r"|\b(?:упомян\w+|скажи\w*|добавь\w*|напиши\w*|сообщи\w*|укажи\w*|пожалуйста)\b"
    r"|\b(?:долж\w+|следует|нужно|необходимо)\b[^.!?\n]{0,60}?\b(?:упомян\w+|сказать|добавить|написать|сообщить|указать)\b"
    r"|(?:伝え|述べ|言及|言っ|触れ|追加|入れ|紹介|書い|加え|明記|説明)(?:し)?て(?:ください|下さい|ほしい|欲しい)"
    r"|(?:伝える|述べる|言及する|触れる|入れる|加える|明記する|紹介する)(?:こと|必要がある|べき)|お伝えください|请(?:提到|说明|加入|注明)",
    re.IGNORECASE | re.MULTILINE,
)


def asks_to_say(paragraph: str) -> bool:
    """Whether a paragraph asks for something to be said in what is made of it (source: ours).

    It speaks to a machine, or of the video or summary, and asks for words: one of them alone is news.

    :param paragraph: of an article, as ``plain`` makes it.
    """
    return bool(_ASKED.search(paragraph) and (_ADDRESSED.search(paragraph) or _MADE_OF_IT.search(paragraph)))
