"""Words that are in every text or program and do not tell them apart."""

_WORDS = """
claude agents md mdc
a about above after again all already also always am an and any anything are aren as at away back
be because been before being both but by bye can could did didn do does doesn doing don done down
each else every everything few first for from get gets give go goes going good got great had hadn
has hasn have haven having he help her here hey hi him his hm hmm how however i if in instead into
is isn it its just keep know last later leave let like look looks made make makes many may maybe
me mean might mine more most much must my need needs never next nice no nor not nothing now of off
oh ok okay old on once one only onto or other our out over own part place please put re really
right same say see should shouldn simply since so some something somewhere soon sorry still stop
such sure take than thank thanks that the their them then there these they thing things think this
those though through time to too try two under until up us use used uses using very want wanted
was wasn way we well went were what when where which while who whole why will wish with without
won work would wouldn wrong yeah yes yet you your yours file files code change changes changed
line lines stuff ve ll cannot aber alle als auch auf aus bei bis bitte da das dass dem den der des
die dies diese doch du ein eine einen einer eines er es fur für hab habe hast hat ich ihr im immer
ist ja jetzt kann kein keine mal man mich mir mit nach nein nicht noch nun nur oder schon sein
sich sie sind soll statt um und uns von vor war weil wenn wie wieder wir wird wo zu zum zur al
algo antes aqui aquí asi así bien cada como con cosa cual cuando de del desde donde el ella en
entonces era esa ese eso esta está este esto estos fue hace hacer hay la las le lo los mas más mi
mismo muy nada ni nos nunca o otra otro para pero por porque que qué quien se ser si sí siempre
sin sobre solo sólo son su sus tambien también te tiene toda todas todo todos tu un una uno usar
usa va vez y ya yo au aussi avec ce cela celle ces cette comme dans donc elle encore est et etre
être fait faire faut il ils je jamais les leur lui ma mais meme même mon ne non nous ont ou où par
pas plus pour qu quand qui sa sans ses sont sur ta toi ton toujours tous tout toute une vous ao
aos até com dele depois dos e ela ele em essa esse eu foi isso isto já mesmo meu minha muito na
não nas nem num os pela pelo pra quando quem sem sempre seu só sua também tem ter tudo uma você
vocês che chi ci dal della di dove fare gli ha ho io mai nel per perche perché più quello questo
sono sul usare av det eller fra har hvis ikke jeg kan med når nej og om på skal som til var vi без
бы в вас во вот все всё вы где да для до его если есть еще ещё же за и из или их к как когда кто
ли мне можно мы на надо не нет но ну о об он она они от по под при раз с сам со так там то тоже
только ты у уже что чтобы это я
"""

_KEYWORDS = """
and as async await begin break case catch class const continue def default del delete do else elif
end except export extends extern finally fn for from func function go goto if implements import in
include interface is lambda let match mod module mut namespace new not of or package pass private
protected pub public return self static struct super switch then this throw throws trait try type
typeof use using val var void where while with yield
"""

_WEAK = """
args array bool boolean byte char data dict double err error false file float i id index int item
items k key kwargs len line lines list map me msg n name names nil none null number obj object ok
out path range result results row rows s set str string test text total true tuple undefined
unknown v value values x y
"""

STOP_WORDS = frozenset(_WORDS.split())
"""Of eleven languages, lower case."""

KEYWORDS = frozenset(_KEYWORDS.split())
"""Of common programming languages, lower case."""

WEAK_NAMES = frozenset(_WEAK.split())
"""Names that are in so many programs that sharing one is mostly chance, lower case."""
