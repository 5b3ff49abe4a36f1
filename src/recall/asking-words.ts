/**
 * English words that say how a question is asked rather than what is asked for. On LoCoMo (recall@10 of turns, categories 1 to 4) it is
 * worth two points to leave them out of a question; the index keeps them, so that a query that quotes them still finds them.
 */
const QUESTION_WORDS: ReadonlySet<string> = setOf(
  'a about an and any are as at be been being but by can could did do does for from had has have he her him his how i if in into is it ' +
    'its me my no not of on or our she so that the their them there they this to was we were what when where which who whom whose why ' +
    'will with would you your',
);

/** English words that ask for whatever there is. Beside others they count as words do. */
const ASKING_WORDS: ReadonlySet<string> = setOf(
  'all am anything describe did everything happen happened happens know known list please recall remember show something summarise summarize tell things',
);

/** The same of another language, without accents. */
interface AskingLanguage {
  readonly question: ReadonlySet<string>;
  readonly asking: ReadonlySet<string>;
}

/** German, French, Spanish, Italian and Portuguese. */
const OTHER_LANGUAGES: readonly AskingLanguage[] = [
  {
    question: setOf(
      'als am an auf aus bei beim bin bist da das dass dein deine dem den denn der des dich die dir doch du ein eine einem einen einer er es ' +
        'fur gab gemacht getan gibt hast hat hatte hatten habe haben ich ihm ihn ihr ihre ihrem ihren ihrer im in ist kann kannst kein ' +
        'keine konnte mach mache machen macht man mein meine meinem meinen meiner mich mir mit nach nicht ob oder sie sind so tat tun ' +
        'tut uber um und uns unser unsere vom von wann war waren warst warum was weil welche welchem welchen welcher welches wem wen ' +
        'wer werde werden weshalb wessen wie wieso will wir wird wo woher wohin wurde zu zum zur',
    ),
    asking: setOf(
      'alles bitte erinnere erzahl erzahle etwas geschah geschehen gewesen liste los neues passiert sag sage weiss weisst zeig zeige',
    ),
  },
  {
    question: setOf(
      'a ai as au aux avais avait avec avez avons c ce ces cet cette comment d dans de des du elle elles en es est et etaient etait ete etes ' +
        'etre eu fais faisait fait faire il ils j je l la le les leur leurs lui m ma me mes moi mon n ne nos notre nous on ont ou par ' +
        'pas peut peux pour pourquoi puis qu quand que quel quelle quelles quels qui quoi s sa se ses sommes son sont suis sur t ta te ' +
        'tes toi ton tu un une vos votre vous y',
    ),
    asking: setOf(
      'arrive chose dis dites liste montre passe quelque raconte rappelle sais savez souviens tous tout',
    ),
  },
  {
    question: setOf(
      'a al como con conmigo cual cuales cuando cuanto de del donde el ella ellas ellos en era eran eres es fue fui ha hace hacer hago han has ' +
        'he hecho hemos hice hicimos hizo la las le les lo los me mi mis no nosotros nuestra nuestro o para por porque que quien ' +
        'quienes se son soy su sus te tu tus un una unas unos y yo',
    ),
    asking: setOf(
      'algo cuenta cuentame dime lista muestra muestrame ocurrio pasado paso recuerda recuerdas sabes sobre todo todos',
    ),
  },
  {
    question: setOf(
      'a abbiamo al alla c chi che ci come con cosa da dei del della di dove e era erano fare fatto faccio feci gli ha hai hanno ho i il in io l ' +
        'la le lei lo loro lui ma me mi mia mie miei mio noi non nostra nostro o per perche qual quale quali quando quanto sei si siamo ' +
        'sono su sua suo te ti tu tua tuo un una uno',
    ),
    asking: setOf(
      'accaduto dimmi elenca mostra mostrami parlami qualcosa racconta ricorda ricordi sai successo tutti tutto',
    ),
  },
  {
    question: setOf(
      'a as com como da das de do dos e ela elas ele eles em era eram es eu faco fazer feito fez fiz foi fui ha isso me meu meus mim minha ' +
        'minhas na nao nas no nos nossa nosso o onde os ou para por porque quais qual quando quanto que quem sao se seu seus somos sou ' +
        'sua suas tem temos tenho tu um uma voce',
    ),
    asking: setOf(
      'aconteceu algo conte diga dize lembra lembre lista mostra mostre passou sabe sobre todos tudo',
    ),
  },
];

/** Words of these tables that say nothing of the language of a query: words, names or abbreviations in English too, or single letters. */
const OF_ANY_LANGUAGE: ReadonlySet<string> = setOf(
  'a ai al als am an arrive as au c ces che ci com come comment como con conte d da das de del dem den der des di die dir dis do dos e ' +
    'el em en er era es et eu fare fez fur gab gli ha hai han has hast hat he her i il im in io is it j l la las le lei les lista liste ' +
    'lo los m ma mag man me mes mi mia mie mio mir mit mon n na ne no non nos o ob on os ou par pas passe paso per pour puis s sa sage ' +
    'sai sao se sei ses si so sobre son sono su sui sur t ta tat te tem tes ti ton tous tout tu tun tut um un una uno uns vom war was ' +
    'weiss will y yo chose los',
);

const MARKS = /\p{M}/gu;

/** Which words of a query only ask: by its language, where its words tell one, else by English. */
export interface AskingRules {
  /** Whether a word says how a question is asked; null for what is found by other forms alone, as the whole of words that are joined. */
  readonly isQuestion: (word: string | null) => boolean;
  /** Whether it asks for whatever there is. */
  readonly asks: (word: string | null) => boolean;
}

/** Whether an English word says how a question is asked. */
export function isQuestionWord(word: string): boolean {
  return QUESTION_WORDS.has(word);
}

/**
 * How a query with some words, in lower case, asks. Another language than English is taken for its own where two words at least tell it, and
 * more than are English words that ask and are none of its own: a word that asks in one language is what is asked for in another.
 */
export function askingRulesOf(words: readonly string[]): AskingRules {
  const plain = words.map(withoutMarks);
  const [best] = OTHER_LANGUAGES.map((language) => ({ language, score: telling(language, plain) }))
    .filter(({ language, score }) => score > 1 && score > english(language, plain))
    .sort((a, b) => b.score - a.score);
  if (best === undefined)
    return {
      isQuestion: (word) => word !== null && isQuestionWord(word),
      asks: (word) => word !== null && ASKING_WORDS.has(word),
    };
  const { question, asking } = best.language;
  return {
    // Of `est-ce` the parts count.
    isQuestion: (word) => word === null || question.has(withoutMarks(word)),
    asks: (word) => word !== null && asking.has(withoutMarks(word)),
  };
}

/** Different words that a language has, and English has not. */
function telling({ question, asking }: AskingLanguage, words: readonly string[]): number {
  return new Set(
    words.filter((word) => !OF_ANY_LANGUAGE.has(word) && (question.has(word) || asking.has(word))),
  ).size;
}

/** Different words that ask in English and not in a language. */
function english({ question, asking }: AskingLanguage, words: readonly string[]): number {
  const own = (word: string): boolean => question.has(word) || asking.has(word);
  return new Set(words.filter((word) => (QUESTION_WORDS.has(word) || ASKING_WORDS.has(word)) && !own(word)))
    .size;
}

function withoutMarks(word: string): string {
  return word.normalize('NFD').replace(MARKS, '');
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
