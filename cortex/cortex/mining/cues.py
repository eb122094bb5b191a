"""Cues in a developer's words that speak for or against a correction.

English first, then German, French, Spanish, Portuguese, Italian, Danish, Russian, Chinese and
Japanese where a cue exists there. A cue is about the form of a message (a refusal, a norm, a
question, a log), never about what it is asking for.
"""

import re

_FLAGS = re.IGNORECASE | re.MULTILINE


def _cue(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), _FLAGS)


def _opening(*alternatives: str) -> re.Pattern[str]:
    joined = "|".join(alternatives)
    return re.compile(rf"\A[\s>*\"'«¡¿-]*(?:{joined})", re.IGNORECASE)


REFUSAL = _opening(
    r"(?:no+|nope|nah|nay|nein|ne|nej|não|нет|не)(?:[\s,.!:;—…-]|\Z)",
    r"non\b",
    r"(?:不[，,。！]|不是|いや|いいえ|ちが)",
    r"(?:wait|stopp?|halt|hold on|easy|hang on|hey|eh|um+|seriously|man|wow|par[aá]|alto"
    r"|espera|arr[eê]te"
    r"|attends|стой|стоп|подожди|等等|停|待って)\b",
)
REFUSES_NOTHING = _opening(
    r"(?:no|non|não|nein|nej|нет)[,.!]?\s*(?:$|rush|problem|worries|way\b|hurry|idea|then"
    r"|thanks|it'?s (?:fine|ok)"
    r"|c'est (?:parfait|bon)|tem problema|alles gut|danke|passt|está bien|leave it)",
)
FORBIDS = _cue(
    r"\b(?:don'?t|do not|never|must ?n[o']t|mustn't|shouldn'?t|should not|can'?t|cannot|avoid"
    r"|quit|stop)\b",
    r"\bno \w+(?:ing|s)\b|\bno \w+(?=[,.!;]|$)|\bnothing (?:in|else|of)\b|\bneither\b",
    r"\b(?:not|no) (?:that|this|those|the|in|to|with|on|by|from|an?|any|like|for|what|how"
    r"|where|need|more|longer|place)\b",
    r"\b(?:hands off|off limits|leave .{1,30} alone|keep .{1,30} (?:out|as))\b",
    r"\b(?:nicht|keine?[nmrs]?|nie|niemals|ohne|finger weg)\b",
    r"\b(?:ne|n')\s?\w+ (?:pas|plus|jamais)\b|\bpas (?:de|la|le|les|d'|comme)\b|\bjamais\b",
    r"\b(?:nunca|jam[aá]s|sin|no (?:lo|la|se|hace|quiero|vuelvas|toques|uses|es))\b",
    r"\b(?:não|nunca|sem)\b",
    r"\b(?:mai|senza)\b|\bikke\b|\baldrig\b",
    r"\b(?:не|нельзя|никогда|без)\b",
    r"不要|别|不准|不能|不许|不该|不得|勿|不用|ないで|しない|禁止|やめ|いけません",
)
CONTRASTS = _cue(
    r"\b(?:instead|rather than|rather|as opposed to|in favou?r of|other way round)\b",
    r"(?:,|;|\band|\bbut) not\b",
    r"\b(?:statt|anstatt|anstelle|sondern|lieber)\b",
    r"\b(?:au lieu|plut[oô]t)\b",
    r"\ben (?:vez|lugar) de\b|\bsino\b",
    r"\bem vez d[eo]\b|\binvece\b|\bi stedet\b|\bвместо\b|\bа не\b",
    r"而不是|而非|ではなく|じゃなくて|の代わりに",
)
LIMITS = _cue(
    r"\b(?:only|just|solely|nothing else|nothing but|plain|enough)\b",
    r"\b(?:nur|lediglich|seulement|juste|rien que|s[oó]lo|solamente|nom[aá]s|nada m[aá]s|só"
    r"|apenas|soltanto|kun)\b",
    r"\bтолько\b|只|仅|だけ|のみ",
)
NORM = _cue(
    r"\b(?:should|must|has to|have to|need(?:s)? to|supposed to|meant to|ought to|got to"
    r"|expected to)\b",
    r"\b(?:belongs?|goes (?:in|into|through|to|below|on|under)|go through|is how|format is"
    r"|are not|is not|isn't|aren't)\b",
    r"\b(?:gehör\w+|muss|müssen|soll(?:en|te|ten)?|darf)\b",
    r"\b(?:doit|doivent|il faut|devrait)\b",
    r"\b(?:tienen? que|ten[ií]a que|deb(?:e|en|er[ií]a)\b|hay que|va[n]? (?:todo|todas|por))",
    r"\b(?:tem que|têm que|deve[m]?|precisa[m]?|é (?:uv|para))\b|\b(?:deve|devono|bisogna)\b"
    r"|\bskal\b",
    r"\b(?:должн\w+|надо|нужно|следует)\b",
    r"必须|得走|都得|都要|也要|要按|应该|应当|需要|てください|べき|必ず|お願いします|ください",
)
WISH = _cue(
    r"\bI (?:want(?:ed)?|prefer|would rather|'d rather|had in mind|asked|meant|said|told|need"
    r"|decide|don't want)\b",
    r"\bI'd (?:like|rather|prefer)\b|\ball I\b|\bwhat I\b",
    r"\bich (?:hatte|wollte|will|möchte|habe)\b|\bje (?:veux|voulais|préfère)\b",
    r"\b(?:quiero|quer[ií]a|te ped[ií]|quero|pedi|voglio|хочу|просил)\b",
    r"我要|我想|我说|頼んで|言いました|依頼した",
)
HOUSE = _cue(
    r"\bwe (?:use|never|always|don'?t|have|already|agreed|settled|decided|do|keep|call|said"
    r"|literally|just)\b",
    r"\bour \w+|\bin here\b|\bin this (?:project|repo|codebase|app)\b|\bnobody\b|\bthe (?:way"
    r"|whole reason) (?:we|for)\b",
    r"\b(?:wir|unsere?[nrms]?|bei uns|chez nous|on (?:utilise|factorise)|notre|usamos|nosotros"
    r"|a gente|nesse projeto|nosso)\b",
    r"\b(?:у нас|мы|наш\w*)\b|我们|この(?:プロジェクト|リポジトリ)|統一|项目里",
    r"@?[\w./-]+\.mdc?\b|\b(?:guidelines?|conventions?|style ?guide|Richtlinien?|rules? (?:say"
    r"|file))\b|规范",
)
EXISTS = _cue(
    r"\balready\b|\bexist(?:s|ed)?\b|\bthere (?:is|was) an? \w+ (?:for|already)"
    r"|\bwe have .{1,40} for\b|\bhas (?:the|that) already\b",
    r"\b(?:gibt es schon|existiert|schon da|déjà|existe déjà|ya (?:existe|tenemos|hay|est[aá])"
    r"|j[aá] (?:existe|temos|tem))\b",
    r"\b(?:esiste già|уже есть)\b|已有|已经有|已存在|すでに|既に|はあります",
)
TAKES_BACK = _cue(
    r"\b(?:revert|undo|undone|restore|rolled? (?:it |that |this )?back|put .{1,40} back"
    r"|threw .{1,30} away|getting reverted)\b",
    r"\b(?:drop|remove|delete|take out|get rid of|can go|should go|goes as well|go too"
    r"|strip)\b",
    r"\b(?:zurück\w*|rückgängig|entfern\w*|raus)\b",
    r"\b(?:remets|annule|retire|enl[eè]ve|supprime)\b",
    r"\b(?:sac[aá]\w*|quit[aá]\w*|borr[aá]\w*|se borra|volv[eé]|deshac\w*|desaparecer)\b",
    r"\b(?:desfa\w+|tira|remove|apaga|reverte|togli|rimuovi|annulla|fjern)\b|\b(?:убери|верни"
    r"|откати|удали)\b",
    r"删掉|删除|去掉|撤销|恢复|还原|戻して|消して|削除",
)
REPEATED = _cue(
    r"\b(?:another|once more|one more time|yet again|(?:second|third|fourth|every|each"
    r"|last) time|how (?:many|often)|still (?:need|have) to)\b",
    r"\bagain\b(?!\s*please)|\b(?:I told you|as I said|like I said|been through|other times"
    r"|I keep|keep \w+ing|since day one)\b",
    r"\b(?:schon wieder|wieder|immer noch|encore|de nouveau|otra vez|de nuevo|segunda vez"
    r"|de novo|outra vez|di nuovo)\b",
    r"\b(?:опять|снова|сколько раз)\b|又|每次|再次|前も|いつも|何度|また",
)
LASTING = _cue(
    r"\b(?:always|never|every(?:where| time|thing)?|from now on|in future|in the future"
    r"|going forward|any ?where|consistently|whatever|at all)\b",
    r"\b(?:künftig|immer|nie|ab jetzt|überall|toujours|jamais|partout|désormais"
    r"|à partir de maintenant)\b",
    r"\b(?:siempre|nunca|todos? (?:los|las)|todas (?:las|iguales)|ning[uú]n|sempre|nunca"
    r"|sempre|mai|altid)\b",
    r"\b(?:всегда|никогда|везде)\b|以后|今后|永远|一律|统一|所有|每一|都用|都得|都要|全て|すべて|今後|必ず|統一",
)
ACCUSES = _cue(
    r"\bwhy (?:did|was|would|on earth|are you|is (?:that|this|it)|main|again|another|not)\b"
    r"|\bhow come\b|\bwhat are you\b",
    r"\bwho (?:told|asked|said)\b|\bdid you (?:invent|forget|even|miss)\b|\bare you\b"
    r"|\bI wonder why you\b",
    r"\byou(?:'ve| have|'re| are| were)? (?:removed|deleted|wrote|supposed|meant|lost|broke"
    r"|forgot|missed|ignored|changed|moved|re-?add\w*|added|went)\b",
    r"\b(?:warum|wieso|weshalb) (?:hast|ist|schon)\b|\bpourquoi (?:as|avoir|tu)\b"
    r"|\bpor qu[eé] (?:otra|lo|hiciste|hab[ií]a)\b",
    r"\bpara qu[eé]\b|\bqu[eé] hiciste\b|\bзачем\b|谁让|为什么要|怎么又|なぜ|どうして",
)
STEERS = _cue(
    r"\b(?:couldn't|shouldn't|wouldn't|isn't there|can't we|why not|why don't"
    r"|what speaks against|any way)\b",
    r"\b(?:could|can|should|would) (?:the|this|that|these|it|we|you|\w+) .{0,40}\b(?:not|just"
    r"|sit|become|be|live|go|accept|get)\b.*\?",
    r"\b(?:is there|are there) (?:somewhere|a (?:way|better|simpler)|any (?:way|reason))\b"
    r"|\bno\s*\?|\byeah\s*\?|\bright\s*\?",
    r"\b(?:simpler|simplest|nicer|better|cleaner|easier)\b",
    r"\b(?:wäre es nicht|könnte man nicht|warum nicht|pourquoi pas|por qu[eé] no|por que não"
    r"|perché non|почему бы)\b|不如|更好",
)
WRONG = _cue(
    r"\b(?:wrong|incorrect|not (?:right|true|correct|what|how)|no sense|nonsense|mistake"
    r"|overkill|absolutely not|disagree|invented?)\b",
    r"\b(?:too (?:much|many|big|long|complex|verbose|wide|deep|generic)|way (?:over|too)"
    r"|over-?\w+ed|made up|makes no)\b",
    r"\b(?:falsch|unsinn|quatsch|zu (?:viel|viele|lang)|faux|trop|n'importe|moins bien"
    r"|mal hecho|demasiad\w+|cualquier lado|no estoy de acuerdo)\b",
    r"\b(?:errad[oa]|demais|sbagliat\w+|troppo|forkert|неправильно|неверно|слишком)\b|不对|错了|太多"
    r"|太大|太|乱|違い|違う|間違",
)
ORDER = _cue(
    r"\bfirst\b|\bbefore (?:you|that|any|the|we|I|push|commit\w*)\b|\b(?:TDD"
    r"|in the right place)\b",
    r"\b(?:zuerst|erst|vorher|d'abord|avant|primero|antes de|primeiro|prima di|først|сначала"
    r"|сперва)\b|先|まず|その前に",
)
ALIKE = _cue(
    r"\b(?:same (?:as|place|way|for|thing)|like (?:all|every|the (?:other|rest))|as (?:it was"
    r"|before|everywhere))\b",
    r"\b(?:so wie|wie bei|genauso|comme (?:les|avant|partout)|igual(?:es)?|como (?:los|las|el)"
    r"|uguale|так же|как везде)\b|一样|照|同じ",
)
SHOUTS = re.compile(
    r"\b(?:NO|NOT|NEVER|ALWAYS|ONLY|DON'?T|STOP|ALL|MUST|ASK|DECIDES?|WRONG|NUNCA|JAMAIS|NIE"
    r"|NICHT|NO LA|BY|AGAIN)\b"
)

PRAISES = _opening(
    r"(?:good|great|nice|perfect|thanks?|thank you|cool|awesome|super|lovely|love|lgtm"
    r"|well done|haha|yay|brilliant|excellent)\b",
    r"(?:prima|gut|danke|klasse|parfait|merci|très bien|perfecto|genial|gracias|buen[ií]simo"
    r"|obrigad[oa]|perfeito|ottimo|grazie|fint|tak)\b",
    r"(?:отлично|спасибо|хорошо)|很好|不错|完美|谢谢|いいですね|ありがとう|いけました",
    r"(?:ok(?:ay)?,? )?(?:that |it )?works\b",
)
GOES_ON = _opening(
    r"(?:please )?(?:continue|go on|go ahead|proceed|keep going|carry on|resume|on with it"
    r"|pick (?:it|this) up|do it|yes)\b",
    r"(?:sorry|weiter|mach weiter|vas-y|continue[rz]?|sigue|seguimos|dale|contin[uú]a|vai"
    r"|prossiga|да|давай|продолжай)\b",
    r"继续|続けて|好的?[。,，]?\s*\Z",
)
NEXT = _cue(
    r"\A(?:\W|\w+[,.]? )?(?:ok(?:ay)?|good|great|right|nice|super|prima|perfect)?\W*(?:so "
    r"|and |und |et |y |e )?"
    r"(?:now|next|then|also|one more|another thing|now that|jetzt|ahora|maintenant|agora"
    r"|adesso|теперь)\b",
    r"\A(?:现在|接下来|然后|では次に|次に|あと)",
    r"\b(?:next:|in addition)|\A\W*also\b",
)
REQUESTS = _opening(
    r"(?:ok(?:ay)?,? |now |and )?(?:please )?(?:add|make|create|write|show|explain|list|give"
    r"|tell|rename|commit|push|check|implement|build|fix"
    r"|update|open|merge|generate|let'?s|can (?:you|we)|could you|put|have a look|eval\w*"
    r"|install|set up|start|begin|work on|prepare|draft|find"
    r"|search|read|review|analy[sz]e|deploy|release|bump|upgrade|convert|extend|improve"
    r"|configure|summari[sz]e|help|(?:we|I) need (?:an?|to)"
    r"|I(?: would|'d) like (?:you )?to|I want you to|there(?: is|'s) an?|new task|next task"
    r"|here(?: is|'s))\b",
    r"(?:bitte (?!kein|nicht|nie|ohne)|zeig|erkl[aä]r|ajoute|montre|explique|agreg[aá]|mostr[aá]"
    r"|adiciona|mostra|aggiungi|добавь|покажи|скинь)",
    r"再?加上|帮我|请|先分析",
)
PASTED = _cue(
    r"Traceback \(most recent|^\s+at .+:\d+\)?$|^\s*File \".+\", line \d+",
    r"^(?:error|warning|fatal|panic|E  |FAIL|FAILED|npm ERR!|===|---|\+\+\+|##\[|> \w+ |\$ \w+"
    r"|#\w+)",
    r"\b(?:\w+(?:Error|Exception): |ERR_\w+|exit(?:ed)? (?:with )?(?:code )?\d+)\b"
    r"|\[\d\d:\d\d(?::\d\d)?\]|\[vite\]",
    r"\bends? with \d\b|\bline \d+\b|\bseverity\b",
)
REPORTED = _cue(
    r"\A\W*(?:from (?:the )?review|(?:low|medium|high|critical) severity|review(?:er)?:"
    r"|he (?:wrote|says|said)|she (?:wrote|says|said)"
    r"|they (?:wrote|say|said)|one of my)",
    r"(?:he|she|they|customer|reviewer|bot|client|kunde\w*|mail) (?:wrote|said|says|stand"
    r"|schrieb|commented)\b",
    r"\A[\"“„«][^\"”“»]{15,}[\"”“»]|\beval this\b",
)
SYMPTOM = _cue(
    r"\bstill (?:not|broken|fail\w*|a|there|the same|wrong|empty|no|get\w*|see\w*)\b"
    r"|\b(?:doesn't|does not|don't|didn't) (?:work|show|appear|move|update|start|run)\b",
    r"\b(?:is|are) broken\b|\b(?:fails?|failing|crash\w*|getting|nothing happens"
    r"|not working)\b|\bI (?:get|see)\b",
    r"\b(?:geht nicht|funktioniert nicht|marche (?:pas|plus)|sigue\b|no (?:anda|arranca"
    r"|funciona)|no me arranca|não funciona|не работает)",
    r"还是|没出来|没显示|报错|不工作|動きません|エラー",
)
STATUS = _opening(
    r"(?:one moment|brb|I'll|I will|I'm|done|finished|ready|heads up|fyi|the other agent"
    r"|ah[,!]|I had|I have|wait for|hm+, (?:ok|fine))\b",
    r"(?:fertig|erledigt|je suis|ça y est|me voy|listo|ya (?:est[aá]|vuelvo)|pronto|готово)\b"
    r"|全部|完了|済み",
    r".{0,60}\bI(?:'ll| will) (?:look|check|fetch|get|do|fix|send|paste|show|handle|take)\b",
)
OWN_SLIP = _cue(
    r"\b(?:sorry|my (?:bad|mistake|own|fault)|oops|wrong window|having thought"
    r"|on second thought|changed my mind|never ?mind|no longer want|I reverted)\b",
    r"\b(?:entschuldig\w*|mein fehler|désolé|laisse tomber|perd[oó]n|me equivoqu[eé]"
    r"|desculp\w+|scusa|извини)\b|抱歉|すみません",
)
ASKS = _cue(
    r"\b(?:explain|what (?:is|are|happens?|does|made|would|do)|how (?:do|does|is|are|would"
    r"|many|about)|where (?:is|are|do|does|would|could))\b[^.\n]*\?|\bexplain\b",
    r"\bcan you (?:confirm|see|check|explain|tell|show)\b"
    r"|(?:\A|[.,;:!?] |\n)(?:hm+,? |and |so |but |ok,? )?(?:did|do|are|does|is|was|were|will"
    r"|has|have) (?:the|there|this|it|that|these|we|you|something|any\w*)\b",
    r"\b(?:suppose|mind explaining|question:|Q:|at what point|anyway\?|wondering)|\b(?:was ist"
    r"|wo(?:her)? (?:ist|käme)|worum|est-ce|c'est quoi|je fais quoi)\b",
    r"¿|\bqu[eé] es\b|吗|呢|か[？?]|\bли\b",
)
ANSWERS = _opening(
    r"\d+[.):]\s|[A-D](?:\s|\)|\.)|option \w\b|both\b|neither\b|the (?:first|second|third"
    r"|latter|former)\b|yes\b|yeah\b|sure\b",
    r"(?:ja|oui|s[ií]|sim|да|是|对|はい)\b",
)
QUESTION_END = re.compile(r"[?？]\W*\Z")
LOG_LINE = re.compile(
    r"\s+\S|Traceback|\[?\d\d:\d\d|[\w.]*(?:Error|Exception)\b:|(?:error|warning|fatal|panic"
    r"|fail(?:ed)?|npm err!)\b[: ]"
    r"|(?:===|---|\+\+\+|##\[|\$ |E  |\d+s\Z|Run \w+=)|>",
    re.IGNORECASE,
)
"""A line of a log or a quotation among several lines."""
