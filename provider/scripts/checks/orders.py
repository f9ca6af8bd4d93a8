"""Sentences that ask whoever makes a video of an article to say something in it, in polite words, too."""

from __future__ import annotations

import re

_MINDS = (
    r"artificial intelligence|künstliche[nr]? intelligenz|intelligence artificielle|inteligencia artificial"
    r"|intelligenza artificiale|kunstmatige intelligentie|inteligência artificial|artificiell intelligens"
    r"|sztuczn\w+ inteligencj\w+|искусственн\w+ интеллект\w*|ChatGPT|Claude|Gemini|Copilot"
)
_NOTE = re.compile(
    # "Note for AI systems:", "Hey ChatGPT,", "[Instruction: for AI readers only]"
    r"^\W*(?:note|notice|instructions?|message|memo|attention|important|reminder|hey|hi|hello|dear|hallo|hej"
    r"|hinweis\w*|anweisung\w*|nachricht|mitteilung|achtung|wichtig|consignes?|avis"
    r"|à l['\u2019]attention|instruccion\w*|instrucción"
    r"|aviso|nota|mensaje|istruzion\w*|avviso|opmerking|instructie\w*|bericht|let op|instruç\w+|uwaga|instrukcj\w+"
    r"|важно|внимание|инструкци\w+|obs|instruktion\w*|für automatische)\b[^.?\n]{0,40}?"
    rf"\b(?:{_MINDS}|AIs?|KIs?|IAs?|ИИ|LLMs?|GPT|chatbots?|bots?|assist\w+|asist\w+|asyst\w+"
    r"|языков\w+ модел\w+|нейросет\w+"
    r"|(?:language|sprach|taal|språk)[- ]?model\w*|mod[eè]l\w+ (?:que|de|di|qui|che)\b"
    r"|zusammenfassungen)\b(?:,|[^.?\n]{0,60}[:\]])",
    re.IGNORECASE,
)
_ADDRESSED = re.compile(
    # An assistant librarian is no machine.
    r"\b(?:(?:dear|hello|hi|hallo|liebe[rs]?|chère?|cher|querid[oa]|estimad[oa]|car[oa]|gentile|beste|kära|hej|drogi"
    r"|prezad[oa]|дорогой|уважаемый) (?:\w+ )?(?:ass?ist|asyst|ассист|помощ)\w*"
    r"|(?:AI|KI|IA|SI|ИИ)[- ](?:ass?ist|asyst)\w*|assistant (?=reading|writing|making|processing|summari)"
    rf"|chatbots?|language models?|{_MINDS}"
    r"|sprachmodelle?n?"
    r"|modèles? de langage|modelos? de lenguaje|modelos? de linguagem"
    r"|modell[oi] linguistic[oi]"
    r"|taalmodel\w*|språkmodell\w*"
    r"|model\w* językow\w*|языков\w+ модел\w+|нейросет\w+|AIs?|KIs?|IAs?|LLMs?|GPT|ИИ|SI|bots?"
    r"|(?:automat\w*|automát\w*|machine|maschinell\w*|geautomatis\w*|zautomatyz\w*|автоматич\w*)"
    r" (?:\w+ )?(?:system\w*|sistem\w*|système\w*|reader\w*|summar\w*|auswert\w*|verarbeit\w*|zusammenfass\w*|trait\w*"
    r"|process\w*|tool\w*|verwerk\w*|elabora\w*|lettur\w*|lect\w*|resum\w*|leit\w*|bearbet\w*|systemów|обработ\w*)"
    r"|(?:system|sistem|système)\w* automat\w*"
    r"|not (?:for|meant for|intended for) (?:human )?readers|nicht für (?:die )?leser|no para (?:los )?lectores"
    r"|pas (?:pour|destiné\w*) (?:les |aux )?lecteurs|non per i lettori|niet voor (?:de )?lezers|inte för läsare"
    r"|nie dla czytelników|não para (?:os )?leitores)\b"
    # "Said" holds no AI, but Japanese writes it without spaces.
    r"|(?<![a-z])AI(?![a-z])|人工知能|言語モデル|自動要約|アシスタント|要約(?:する|を作成|プログラム|ツール)|人工智能|助手",
    re.IGNORECASE,
)
_MADE_OF_IT = re.compile(
    r"\b(?:videos?|vidéos?|vídeos?|wideo|film(?:mpje|en|em|u)|filmik\w*|clips?|scripts?|skript\w*|guion\w*|roteiro\w*|manus\w*"
    r"|summar(?:y|ies|i[sz]\w+)|zusammenfassung\w*|résumés?|resumen\w*|resumos?|riassunt\w*|samenvatting\w*"
    r"|sammanfattning\w*|streszczen\w*|podsumowan\w*|видео|ролик\w*|сценари\w*|пересказ\w*|viewers?|zuschauer\w*"
    r"|spectat\w+|espectador\w*|telespectat\w*|kijkers?|tittar\w*|widz\w*|зрител\w*|voice-?over|narrat\w+|closing line"
    r"|last (?:line|sentence)|schlusssatz|letzte[nr]? satz|dernière phrase|última frase|ultima frase|laatste zin"
    r"|sista meningen|ostatni\w* zdani\w*)\b"
    r"|動画|ビデオ|映像|要約|まとめ|台本|視聴者|视频|摘要",
    re.IGNORECASE,
)
_SAY = (
    r"mention|say|state|tell|add|include|write|recommend|announce|note that|end with|close with|begin with"
    r"|start with|invite|claim|point out|remind"
)
_SOMETHING = (
    r"(?=:| (?:that|so|how|this|these|the|a|an|our|your|in|with|it|viewers|people|everyone)\b| [“\"'\u2018])"
)
_ASKED = re.compile(
    rf"\b(?:please|kindly|must|should|has to|have to|needs? to|would you|could you|can you|will you|be sure to"
    rf"|make sure (?:to|that)|remember to|do(?:n't| not) forget to|required to|asked to|instructed to|supposed to)\b"
    rf"[^.!?\n]{{0,60}}?\b(?:{_SAY}){_SOMETHING}"
    rf"|(?:^|[.!?:;\]\)]\s?)(?:{_SAY}){_SOMETHING}|, (?:add|mention|include) that\b"
    # Imperatives only: "ajoute-t-il" and "dodaje" are in all news.
    r"|\b(?:erwähnen?|ergänzen?|empfehlen?|empfiehl|füg(?:e|en)|schreib(?:e|en)?|sag(?:e|en)?|nenn(?:e|en)?|weisen?)"
    r"(?: (?:sie|du|in|der|dem|das|die|den|ins|ihrer?m?|deinem?r?|zusammenfassung|video)){0,4},?"
    r" (?:bitte|auch|unbedingt|immer|stets|zum schluss|am ende|dass|darauf)\b"
    r"|\b(?:bitte|muss|müssen|soll|sollen|sollte\w*)\b[^.!?\n]{0,80}?"
    r"\b(?:erwähn\w*|gesagt werden|genannt werden|sagen, dass|schreiben, dass|hinweisen|hinzufüg\w*|auffordern)\b"
    r"|\b(?:vermeld|zeg|noem|schrijf|voeg)\b[^.!?\n]{0,30}?\b(?:dat|toe|erbij|altijd)\b"
    r"|\b(?:moet|moeten|graag|gelieve|wil je|wilt u|alsjeblieft)\b[^.!?\n]{0,80}?"
    r"\b(?:vermeld\w*|zeggen dat|toevoegen|noemen dat)\b"
    r"|\b(?:nämn|säg|skriv|tillägg|berätta)\b[^.!?\n]{0,30}?\b(?:att|också|även|alltid)\b"
    r"|\b(?:ska|måste|bör|vänligen|snälla)\b[^.!?\n]{0,60}?\b(?:nämna|nämnas|säga att|skriva att|berätta att)\b"
    r"|\b(?:mentionnez|dites|précisez|ajoutez|indiquez|écrivez|rappelez|veuillez"
    r"|merci de (?:mentionner|préciser|dire))\b"
    r"|\b(?:doit|doivent|devez|devra|il faut)\b[^.!?\n]{0,60}?"
    r"\b(?:mentionner|dire que|préciser que|ajouter que|indiquer que|inviter les|rappeler que)\b"
    r"|\b(?:mencione[ns]?|mencionad|digan?|añadan?|añadid|incluyan?|incluid|indiquen?|recuerden?|escriban?)"
    r"\b[^.!?\n]{0,40}?\bque\b|\b(?:debe|deben|debes|deberá\w*|hay que|tiene que|por favor)\b[^.!?\n]{0,60}?"
    r"\b(?:mencion\w*|decir que|añadir que|incluir que|indicar que|recordar que|invitar a)\b"
    r"|\b(?:menzion(?:a|i|ate)|dite|dica|aggiung(?:i|a|ete)|includ(?:i|a|ete)|ricord(?:i|ate)|indicate|scriv(?:i|a|ete))"
    r"\b[^.!?\n]{0,40}?\bche\b|\b(?:deve|devono|dovete|bisogna|per favore|si prega di)\b[^.!?\n]{0,60}?"
    r"\b(?:menzion\w*|dire che|aggiungere che|includere che|indicare che|ricordare che|invitare a)\b"
    r"|\b(?:mencionem?|digam?|acrescentem?|incluam?|lembrem?|escrevam?)\b[^.!?\n]{0,40}?\bque\b"
    r"|\b(?:deve|devem|por favor)\b[^.!?\n]{0,60}?\b(?:mencionar|dizer que|acrescentar que|lembrar que|convidar)\b"
    r"|\b(?:wspomnij|powiedz|dodaj|napisz|zaznacz)(?:cie)?\b|\b(?:musi|muszą|należy|powinn\w+|proszę|prosimy)\b"
    r"[^.!?\n]{0,60}?\b(?:wspomnieć|powiedzieć|dodać|napisać|zaznaczyć|dodanie|o wspomnienie)\b"
    r"|\b(?:упомяни|скажи|добавь|напиши|сообщи|укажи)(?:те)?\b"
    r"|\b(?:долж\w+|следует|нужно|необходимо|пожалуйста)\b[^.!?\n]{0,60}?"
    r"\b(?:упомянуть|сказать|добавить|написать|сообщить|указать)\b"
    r"|(?:伝え|述べ|言及|言っ|触れ|追加|入れ|紹介|書い|加え|明記|説明)(?:し)?て(?:ください|下さい|ほしい|欲しい)"
    r"|(?:伝える|述べる|言及する|触れる|入れる|加える|明記する|紹介する)(?:こと|必要がある|べき)|お伝えください|请(?:提到|说明|加入|注明)",
    re.IGNORECASE | re.MULTILINE,
)


def asks_to_say(paragraph: str) -> bool:
    """Whether a paragraph asks for something to be said in what is made of it (source: ours).

    It speaks to a machine, or of the video or summary, and asks for words: one of them alone is news.

    :param paragraph: of an article, as ``plain`` makes it.
    """
    if _NOTE.search(paragraph):
        return True
    return bool(_ASKED.search(paragraph) and (_ADDRESSED.search(paragraph) or _MADE_OF_IT.search(paragraph)))
