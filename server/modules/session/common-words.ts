/** What many passwords are made of: words, names, places and rows of keys that everybody tries first. Lower case, digits put back into letters. */
export const commonWords: ReadonlySet<string> = new Set(
  `
password passwort passwords passwd pass passcode passphrase parol contrasena motdepasse wachtwoord haslo senha salasana losenord parola
secret secrets secure security secured private unknown default changeme change letmein letmeinplease openup opensesame sesame welcome
welcomehome hello helloworld helloworlds hellohello goodbye please trustno trustme whatever nothing something anything blank empty
admin administrator administrador admins adminadmin root rootroot toor superuser super superadmin sysadmin system systems server
user username users guest guests visitor visitors test testing tester tests testtest testpassword demo demodemo example sample temp
temporary temppass login logon signin access accessgranted account manager master masterkey masterpassword keymaster key keys keykey
office company business support helpdesk service services network internet wireless wifi router modem computer laptop desktop keyboard
monitor printer windows microsoft google facebook instagram twitter youtube yahoo amazon apple android samsung nokia iphone motorola
sony playstation nintendo xbox pokemon pikachu mario zelda minecraft warcraft starcraft counterstrike diablo halo fortnite roblox steam
gamer gaming games player letsplay database oracle mysql postgres postgresql linux ubuntu debian redhat docker github cisco huawei
qwerty qwertyu qwertyui qwertyuio qwertyuiop qwertz qwertzu qwertzuiop azerty azertyuiop asdf asdfg asdfgh asdfghj asdfghjk asdfghjkl
zxcv zxcvb zxcvbn zxcvbnm qazwsx qazwsxedc wsxedc edcrfv qweasd qweasdzxc asdzxc poiuy poiuyt poiuytrewq lkjhgf lkjhgfdsa mnbvcxz mnbvcx
qwerasdf qwertyasdf qwertyqwerty qweqwe qweqweqwe asdasd asdasdasd zxczxc zaqwsx zaqxsw zaqxswcde qwaszx qazxsw abcdef abcdefg abcdefgh
abcdefghi abcdefghij abcd abcabc abcabcabc alphabet aaaa aaaaa aaaaaa aaaaaaaa aaaaaaaaaa xxxx xxxxxx xxxxxxxx zzzzzz qqqqqq wwwwww
йцукен йцукенг йцукенгш йцукенгшщз фыва фывапролд ячсмить пароль парольпароль привет приветпривет здравствуй любовь люблю солнце
наташа марина александр сергей андрей дмитрий максим алексей владимир анастасия екатерина татьяна светлана ольга елена ирина юлия
москва россия питер спартак зенит динамо локомотив админ администратор доступ секрет мастер компьютер интернет пользователь тест
зима весна лето осень январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь понедельник пятница воскресенье
privet privetik zdravstvuy lyubov lubov solnce solnyshko marina natasha sergey sergei andrey andrei dmitry dmitriy maksim maxim alexey
aleksey vladimir anastasia ekaterina katerina tatiana svetlana olga elena irina yulia julia moskva russia rossiya spartak zenit dinamo
lokomotiv ghbdtn gfhjkm ghjcnj nataha samsungs qwertyuiopasdfghjkl klubnika zvezda malysh kotenok koshka sobaka medved volk drakon
monkey monkeys dragon dragons tiger tigers lion lions wolf wolves bear bears eagle eagles falcon falcons hawk hawks shark sharks dolphin
dolphins panther panthers cougar jaguar leopard cheetah elephant giraffe zebra horse horses pony unicorn rabbit bunny kitten kitty cat
cats puppy doggy dog dogs mouse mickey turtle snake spider scorpion butterfly ladybug chicken rooster turkey penguin panda koala kangaroo
phoenix pegasus buddy bailey bella charlie cooper daisy lucky lucy maggie max molly rocky sadie sammy shadow simba smokey snoopy snowball
tigger toby whiskers garfield oreo peanut pepper ginger coco
football soccer baseball basketball hockey tennis golf golfer cricket rugby volleyball swimming swimmer boxing wrestling karate skiing
skater skateboard snowboard surfing surfer runner running cycling fishing hunter hunting racing nascar formula ferrari porsche mercedes
bmw audi volkswagen toyota honda nissan mazda subaru mitsubishi suzuki yamaha kawasaki harley harleydavidson ducati corvette mustang
camaro charger challenger chevrolet chevy ford dodge jeep hummer cadillac lexus tesla volvo renault peugeot citroen fiat lamborghini
arsenal chelsea liverpool liverpoolfc manchester manunited manutd everton barcelona realmadrid juventus milan inter bayern dortmund ajax
celtic rangers cowboys yankees lakers redsox dodgers steelers packers patriots raiders broncos giants dolphins chiefs cubs braves bulls
celtics warriors ronaldo messi beckham jordan kobe lebron maradona pele zidane neymar
superman batman spiderman ironman hulk thor wolverine deadpool catwoman wonderwoman captain captainamerica avengers marvel joker starwars
startrek skywalker lukeskywalker darthvader vader yoda obiwan jedi matrix trinity neo morpheus terminator predator alien godzilla gandalf
frodo bilbo legolas aragorn hobbit mordor harrypotter hermione hogwarts dumbledore voldemort gryffindor slytherin potter winter narnia
jamesbond bond rambo rocky gladiator spartacus hannibal zorro robinhood sherlock watson einstein newton tesla mozart beethoven picasso
metallica nirvana slipknot acdc beatles thebeatles pinkfloyd ledzeppelin rammstein linkinpark greenday blink eminem tupac rihanna beyonce
madonna elvis presley lennon marley bobmarley jackson michaeljackson hendrix cobain guitar guitars drums drummer piano music musica
musician rockstar rocknroll rock metal heavymetal punk hiphop rap techno dance dancer dancing singer singing concert
love lover lovers lovely loveyou loveme loveyoubaby ilove iloveyou iloveu iloveyouso iloveme iloveher iloveit lovelove loveforever
forever foreverlove forever young always sweetheart sweetie sweety honey honeybunny darling baby babygirl babyboy babyblue babe princess
prince queen king kings angel angels angelbaby angeleyes heaven heart hearts heartbreaker kiss kisses kissme kissmyass sexy sexygirl
sexyboy hot hotstuff hottie cutie cute beauty beautiful handsome gorgeous pretty happy happiness happyday smile smiley sunshine sunny
sun moon moonlight star stars starlight rainbow snow snowflake fire water earth wind thunder lightning storm hurricane tornado ocean
river forest mountain island beach paradise flower flowers rose roses lily tulip orchid jasmine violet lavender cherry cherries apples
banana bananas orange oranges lemon lemons peach peaches strawberry blueberry raspberry watermelon pineapple mango coconut chocolate
cookie cookies candy sugar sweet cupcake cheese cheeseburger pizza pasta spaghetti bacon burger hamburger chocolatechip coffee espresso
cappuccino tea beer whiskey vodka tequila wine champagne cocacola pepsi
red blue green yellow purple pink black white silver gold golden diamond diamonds crystal emerald ruby sapphire pearl amber bronze
platinum copper iron steel blackcat blackdog blackjack blackbird bluesky bluebird redrose redhead whitehouse greenday yellowstone
spring summer autumn fall winter summertime wintertime january february march april may june july august september october november
december monday tuesday wednesday thursday friday saturday sunday weekend today tomorrow yesterday morning midnight christmas xmas
merrychristmas newyear happynewyear easter halloween birthday happybirthday holiday holidays vacation valentine thanksgiving
fruhling sommer herbst montag freitag sonntag hallo hallohallo geheim schatz liebe schalke deutschland berlin hamburg munchen wien
america american usa canada mexico brazil brasil argentina colombia chile peru england britain london ireland dublin scotland edinburgh
wales france paris marseille spain espana madrid portugal lisbon lisboa italy italia roma rome napoli germany austria vienna switzerland
zurich poland polska warszawa warsaw ukraine ukraina kiev kyiv belarus minsk kazakhstan almaty moscow petersburg sochi kazan europe
turkey istanbul ankara greece athens israel jerusalem egypt cairo africa nigeria kenya india mumbai delhi pakistan china beijing shanghai
hongkong taiwan japan tokyo korea seoul thailand bangkok vietnam hanoi malaysia singapore indonesia jakarta philippines manila australia
sydney melbourne newyork newyorkcity nyc brooklyn boston chicago dallas houston texas florida miami california losangeles sanfrancisco
sandiego lasvegas vegas seattle denver phoenix atlanta detroit philadelphia washington hawaii alaska toronto montreal vancouver
michael michelle jennifer jessica ashley amanda daniel danielle joshua matthew andrew anthony nicholas nicole christopher christian
christina christine stephanie steven stephen kimberly elizabeth william robert richard charles thomas joseph james john david george
edward patrick patricia samantha alexander alexandra alexandria alexis victoria vanessa veronica rebecca rachel sarah hannah abigail
madison olivia sophia isabella emily emma chloe grace natalie melissa heather tiffany brandon justin jason jeremy jonathan nathan
benjamin samuel jacob tyler taylor austin dylan logan ethan mason liam noah lucas oliver harry jack oscar leo arthur henry frank peter
paul mark martin simon tony eric brian kevin kenneth gary larry jerry scott sean shawn chris mike steve dave bob bill joe tom tim jim ben
sam dan alex nick matt andy maria marie mary anna anne annie ann laura lauren linda lisa julie barbara susan karen nancy betty donna carol
sandra sharon debbie diana diane angela angelina claudia carmen carlos juan jose miguel luis pedro pablo diego fernando fernanda
alejandro alejandra francisco antonio gabriel gabriela rafael ricardo roberto eduardo sebastian valentina camila daniela andrea martina
giovanni giuseppe francesco francesca alessandro alessandra lorenzo matteo marco luca stefan stefano andreas thomas wolfgang jurgen
klaus hans heinz michaela sabine petra ursula monika katarina ivan igor oleg boris viktor nikolay nikolai mikhail pavel roman ruslan
denis artem anton kirill evgeny evgeniy konstantin yana dasha masha sasha misha vova kolya vanya mohammed muhammad mohamed ahmed ali
omar hassan hussein ibrahim mustafa fatima aisha yusuf krishna ganesh shiva rahul priya amit raj sanjay
mother father mommy daddy mom dad mama papa mamapapa brother sister son daughter grandma grandpa family myfamily friend friends
bestfriend bestfriends forever wife husband girlfriend boyfriend children child kids jesus jesuschrist christ god godisgood godislove
ilovejesus ilovegod bible faith hope blessed blessing church angel devil satan lucifer demon hell church allah buddha
power powers powerful strong winner winners champion champions number one numberone thebest best thebestever greatest great awesome
amazing fantastic cool coolguy coolgirl freedom liberty justice peace peaceful victory success lucky luckyday fortune money moneymoney
cash dollar dollars million millionaire billionaire rich richrich boss bigboss theboss bigdaddy bigdog bigman soldier army navy marine
marines airforce police fireman doctor nurse teacher student school college university lawyer engineer pilot captain pirate ninja
samurai warrior knight wizard witch magic magical mystery ghost vampire werewolf zombie killer assassin hunter sniper gangster gangsta
thug hacker hackers hacked cracker anonymous nobody noone fuckyou fuckoff fuckme fuck shit bullshit asshole bitch bastard damn idiot
stupid loser crazy insane psycho maniac monster beast savage legend legendary hero heroes rebel outlaw stranger lonely alone broken
house home homesweethome door doors doorbell doorman frontdoor backdoor opendoor openthedoor gate gates entrance entry exit lock locked
unlock unlocked apartment flat building tower lobby concierge reception janitor caretaker intercom elevator parking garage garden
window windows kitchen bedroom castle palace village city street avenue
`
    .trim()
    .split(/\s+/),
);
