import { oncePerText } from '../conversation/once-per';
import { contentWords } from './content-words';
import { isGermanLimit, isGermanRule } from './german-demands';
import { isCode, isConstraint, isQuestion, withoutCondition } from './sentences';

/**
 * Whether a sentence of the person states a rule that outlives the request: an order or a prohibition in general terms.
 * Questions, conditions, considerations and reports of what happens state none.
 */
export const isRule = oncePerText((sentence: string): boolean => {
  if (isQuestion(sentence) || tentative.test(sentence)) return false;
  if (/^\W*no\b(?!\s*[,.!—–:-])/i.test(sentence)) return isBan(sentence);
  if (ruleOpening.test(sentence.replace(/^\W*no\b\W*/i, '')) || isReserved(sentence) || isGermanRule(sentence))
    return true;
  if (isImperative(core(sentence)) && quantity.test(sentence)) return true;
  return isConstraint(sentence) && ruleWithin.test(sentence) && !reportOfBehaviour.test(sentence);
});

/** Whether a sentence of the person limits the work, be it in general or for this task alone. */
export function isLimit(sentence: string): boolean {
  return limitsIn(sentence).length > 0;
}

/**
 * The parts of a sentence of the person that limit the work, verbatim: prohibitions, bounds, what is to stay as it is,
 * demands on the result, and ways of work. What holds for the moment alone ("no changes yet") limits nothing later.
 */
export const limitsIn = oncePerText((sentence: string): readonly string[] => {
  return partsOf(sentence).filter((part) => {
    const told = part.replace(polite, '');
    const asked = told === part ? part : told.replace(/\?\W*$/, '');
    return isLimitAlone(asked) || hasPlainLimit(asked);
  });
});

/** "Can we make sure that…?" asks for it. */
const polite =
  /^(?:[^,?]{0,40}, )?(?:(?:and|so|ok(?:ay)?|please|also|then|now) )*(?:can|could|would|will) (?:you|we) (?:please )?(?=(?:make sure|ensure|keep|leave|always|never|not|stick|use|stop|avoid|only)\b)/i;

/** The parts that need nothing around them to be a limit: what is forbidden, and what is to be left alone. */
export function plainLimitsIn(sentence: string): string[] {
  return partsOf(sentence).filter(
    (part) => mayLimit(part) && clausesOf(part).some((clause) => isForbidding(clause) || isReserved(clause)),
  );
}

function clausesOf(part: string): string[] {
  return part.split(
    /,\s+(?:and |but |so )?|\s+(?:so|but|and) (?=(?:please )?(?:don['’]?t|do not|never|keep|leave)\b)/i,
  );
}

/** Also behind a comma: "before you start, don't forget…", "six groups, keep the docs commit apart". */
function hasPlainLimit(part: string): boolean {
  if (!mayLimit(part) || reportOfBehaviour.test(part)) return false;
  return clausesOf(part).some((clause, at) => !asking.test(clause) && isPlainLimit(clause, at > 0));
}

function isPlainLimit(clause: string, isLater: boolean): boolean {
  if (isForbidding(clause) || isReserved(clause)) return true;
  if (tentative.test(clause)) return false;
  const said = core(clause);
  return every.test(said) || (isLater && keeping.test(said) && isWayOfWork(clause));
}

/** People write on after a question mark, a semicolon or two dots without a capital letter. */
function partsOf(sentence: string): string[] {
  return sentence
    .split(partEnd)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

const partEnd =
  /(?<=[?!;])\s+|\s*\.{2,}\s*|(?<=\p{L}{3})\.\s+(?=\p{Ll}{2})|\s+(?:—|–)\s+(?=(?:and )?(?:don['’]?t|do not|never)\b)/u;

function isLimitAlone(part: string): boolean {
  if (!mayLimit(part) || asking.test(part) || reportOfBehaviour.test(part)) return false;
  if (part.split(/\s+/).length < minWordsOfOthers) return false;
  if (isWish(part) || isGermanLimit(part)) return true;
  if (ownState.test(core(part)) && !asPossible.test(part)) return false;
  if (tentative.test(part) || contentWords(part).length === 0) return false;
  return (
    isReserved(part) || isBan(part) || isForbidding(part) || isBounded(part) || isDemanded(part) || isWayOfWork(part)
  );
}

/** Neither a question, nor code, nor over with the next message. */
function mayLimit(part: string): boolean {
  const words = part.split(/\s+/).length;
  if (words < minWords || words > maxWords) return false;
  if (/[:：]$/.test(part) || part.split(/["“”]/).length % 2 === 0) return false;
  return !isQuestion(part) && !isCode(part) && ![ofTheMoment, quoted].some((mark) => mark.test(part));
}

/** A question without its mark. "Can you…" asks for work. */
const asking =
  /\b(?:what|how|which|why|where|who) (?:\w+ ){0,2}(?:do|does|did|is|are|should|can|could|would) (?:i|you|we|it|they|the|this|that)\b|^(?:is|are|do|does|did|should|shall|have|has|was|were|could|would|can)(?:n['’]?t)? (?:i|you|it|we|the|this|that|there|they)\b/i;

const minWords = 2;

/** With fewer, only a plain prohibition is clear. */
const minWordsOfOthers = 3;

/** A longer part tells how things are. */
const maxWords = 50;

/** "Don't change anything yet", "just explain": over with the next message. */
const ofTheMoment =
  /\b(?:don['’]?t|do not) (?:implement|change|make|do|act|code|write|edit|touch|run|build)(?: any(?:thing)?(?: (?:code|changes?|edits?))?(?: else)?)?\W*$|\byet\W*$|\byet\b[,;]|\b(?:just|only) (?:explain|tell|answer|show|asking|curious|discuss|checking)\b|\b(?:for|right) now\b|\bat the moment\b|\bfor the moment\b|\b(?:noch nicht|erst ?mal|vorerst)\b/i;

/** Text in quotation marks, list marks of programs. */
const quoted = /^[“"'●+│┃|]|^\p{Extended_Pictographic}|https?:\S+.*\(\w+ \w+\)/u;

/** What the person feels, can and does. */
const ownState =
  /^(?:i|we)\b(?! (?:(?:\w+ )?(?:want|prefer|insist|expect|like|need)|would|never|(?:must|should|need to|have to)\b|don['’]?t want|do not want))|^(?:can['’]?t|cannot|couldn['’]?t)\b/i;

/** Considerations and wishes in doubt: "in theory we could…", "for now I would…", "I think we should…". */
const tentative =
  /\b(?:in theory|theoretically|maybe|perhaps|i (?:would|['’]d) (?:keep|say|guess)|for now|not sure|might|i (?:think|guess|suppose|wonder)|we could|probably|i can|i could|i (?:honestly )?feel|can['’]?t get|i do(?:n['’]?t| not) need|i would|alternatively|seems?|looks like|now we have|was the only|i(?:['’]?m| am) thinking|how about|what if)\b/i;

const opener =
  /^(?:\W*(?:(?:and|also|but|so|ok(?:ay)?|please|pls|note|important|remember|rule|well|yes|yeah|yep|just|then|now|oh|sorry|again|actually|instead|btw|by the way|as always|in general|one more thing|let['’]?s|for \w+ing (?:the )?\w+,|(?:for|in) (?:the|this|that|all|each|every|any|our|your|my) (?:\w+ ){0,2}\w+,)(?![-\w])|no(?=[,.!—–:]))[,:.!—–]*\s*)+/i;

/** A sentence without politeness, conditions and reasons around what it says. */
function core(sentence: string): string {
  const plain = sentence.replace(/^[\s*_`>-]+/, '').replace(opener, '');
  return withoutCondition(plain).replace(opener, '').replace(purpose, '').trim();
}

const purpose =
  /[,;]? (?:so (?:that )?(?:we|it|you|i|they|the|there|this)|because|since|in order to|to (?:avoid|prevent|make sure|ensure)|(?<=,) as (?:it|they|this|that|we|i))\b.*$/i;

/** "Don't touch X", "never…", "avoid…". What the person does not mind is no prohibition. */
function isForbidding(sentence: string): boolean {
  const said = core(sentence);
  return (
    (forbidding.test(said) && !idle.test(said)) || ability.test(said) || /^(?:let['’]s )(?:not|never)\b/i.test(said)
  );
}

/** "As serverless as possible". */
const asPossible = /^.{0,80}\b(?:keep|make|have|do|be)\b.{1,40}\bas [“"”\w]+(?: \w+)? as possible\b/i;

const forbidding =
  /^(?:(?:you|we) (?=must|should|shall|may|can|will))?(?:(?:must|should|shall|may|can|will) ?(?:not|n['’]t|never)|don['’]?t|do not|never|avoid|refrain from|stop (?:\w+ing)|no more \w+|under no circumstances)\b/i;
const idle =
  /^(?:don['’]?t|do not)(?: \w+ly)? (?:worry|mind|bother|care|know|think|see|understand|get|like|have|need|overwhelm|remember|run\W*$)\b/i;
const ability =
  /^(?:do(?:n['’]?t| not) have (?:access|permission)|you do(?:n['’]?t| not) have (?:access|permission)|you have no (?:access|permission)|you are not allowed|you (?:can|may) only|you must)\b/i;

/** What is to stay as it is, or in other hands: "hands off X", "leave X alone", "X stays untouched". */
function isReserved(sentence: string): boolean {
  const said = core(sentence);
  return (
    reserved.test(said) || ofNobody.test(said) || (isImperative(said) && untouched.test(said)) || staying.test(said)
  );
}

const reserved =
  /^(?:hands? off\b|stay (?:away|out|clear)\b|steer clear\b|keep (?:your hands|away|off|out)\b)|\b(?:is|are) (?:off[- ]limits|not an option|out of the question|taboo|off the table|confidential|frozen until|not ours to \w+)\b/i;
/** "Nobody deploys on a Friday", "only Priya runs DDL", "nothing goes live before June". */
const ofNobody =
  /^(?:[Oo]nly \p{Lu}\p{Ll}+ (?:may|can|\p{Ll}+s)|[Nn]obody|[Nn]o one|[Nn]othing(?! else)(?=.* (?:before|until|without|except|but|between|beyond|that)\b))(?! (?:is|was|works|shows|happens|helps|changed|appears|knows|cares)\b) /u;
const untouched =
  /\b(?:leave|keep|let)\b.{1,80}\b(?:alone|untouched|as (?:it is|is|they are|it was)|unchanged|intact|out of|where (?:it|they) (?:is|are))\b/i;
const staying =
  /\b(?:stays?|remains?) (?:exactly )?(?:as (?:it is|is|they are)|untouched|unchanged|confidential|private|under \d|below \d|within \d)|\buntil (?:further notice|i (?:say|tell|approve|merge))\b/i;

/** "No new packages": a demand without a verb. "No changes." and "No remarks, so the schema is done" tell how things are. */
function isBan(sentence: string): boolean {
  const said = sentence.replace(/^[\s*_`>-]+/, '');
  return ban.test(said) && !finite.test(said) && !/^no\W*$/i.test(said);
}

const ban =
  /^no (?!(?:one|longer|idea|worries|problem|rush|hurry|doubt|way|luck|clue|thanks|config|matter)\b)(?:\S+(?:\s+|$)){2,16}$/i;
const finite =
  /\b(?:is|are|was|were|has|have|had|does|did|found|available|set|exists?|exiting|using|so|remarks|comments|errors?|issues|warnings|results?|like|will|returned|when)\b|\b(?:needed|required|necessary|changed|made|given|left|response|output)(?=\W*$|[,;])/i;

/** Bounds and exclusions in an order, or in a fragment: "at most 3 retries", "Photos: upload over Wi-Fi only". */
function isBounded(sentence: string): boolean {
  const said = core(sentence);
  if (subject.test(said)) return false;
  if (isImperative(said)) return quantity.test(said) || excluding.test(said) || onlyThis.test(said);
  return quantity.test(said) && !/\b(?:was|were|had|did|takes|took|shows?|says?|got)\b/i.test(said);
}

const quantity =
  /\bat (?:the (?:very )?)?(?:most|least|longest|max(?:imum)?)\b|\bnever (?:more than|less than|above|below|over|under) \d|\bmay (?:now )?\w+(?: up to)? (?:\w+ )?\d|\d.* (?:is|are) (?:the (?:limit|cap|ceiling|floor|maximum|minimum)|acceptable|allowed)\b|\bnot one more\b|\b(?:no|not|never) (?:more|less|fewer|longer|bigger) than\b|\b(?:a )?max(?:imum)?(?: of)? \d|\b(?:\d+|one|two|three)(?: \w+)? at a time\b|\b(?:stay|keep|come in|remain)\w*\b[^.]{0,60} (?:under|below|within) \d|\b(?:limit|cap|restrict)\b[^.]{0,60} to \d/i;
/** "Touch only X": further on, it tells what one step is about. */
const onlyThis = /^(?:\S+ ){1,2}(?<![-\w])only(?![-\w])/i;
const excluding =
  /(?<![-\w])(?:solely|exclusively|nothing (?:but|else)|(?<=^\w+ )(?:no|nothing)|instead of|rather than|without \w+ing)(?![-\w])/i;

/** A declarative sentence about what a person or a thing does. */
const subject =
  /^(?:i|it|this|that|these|those|they|he|she|there|here|we|what|which|who|why|how|where|because|since|like|then|im|youre|its|thats)\b/i;
const past = /\b(?:was|were|had|did|\w{3,}ed)\b/i;

/** Orders and wishes that hold for the result: "X should always…", "any finding must…", "make sure that…". */
function isDemanded(sentence: string): boolean {
  const said = core(sentence);
  if (belief.test(said) || errand.test(said)) return false;
  if (assuring.test(said))
    return (
      contentWords(said).length >= 2 &&
      !/\b(?:sure|ensure|it)(?: that)? (?:it|this|they|these|everything)\b|\b(?:pass(?:es)?|works?|compiles?)\W*$/i.test(
        said,
      )
    );
  if (/^(?:always|from now on|going forward|henceforth|in (?:the )?future)\b/i.test(said)) return true;
  if (isImperative(said) && /\b(?:always|every time|each time|from now on|going forward)\b/i.test(said)) return true;
  if (never.test(said) || /^assume \w+/i.test(said)) return true;
  if (/\bfrom (?:today|now|here) on\b/i.test(said) && !/\byou to\b|\bthe (?:job|task|goal)\b|^what\b/i.test(said))
    return true;
  if (every.test(said) || asPossible.test(sentence)) return true;
  const [, about = ''] = modal.exec(said) ?? [];
  if (/^it$/i.test(about)) return /^it (?:must|has to|may not) /i.test(said) && contentWords(said).length >= 2;
  return contentWords(about).length > 0 && !subject.test(about) && !otherSubject.test(about);
}

const assuring = /^(?:make (?:absolutely )?sure|ensure|be sure|see to it)\b(?! to\b)/i;

/** Another subject than the one at the beginning. */
const otherSubject = /^(?:you|if|when)\b|\b(?:i|we|you|they|it|that|which|who|to)$/i;

/** "X should be blue" alone asks for a change, which is over once it is made. */
const modal =
  /^(.{2,80}?) (?:must(?:n['’]t| not)?|should(?:n['’]t| not| only| always| never)|shall(?: not)?|may (?:not|only|never)|(?:has|have) to(?! be (?:done|fixed))|(?:is|are) (?:not allowed|forbidden|required|mandatory)) /i;
const every =
  /^(?:any|all|every|each|anything|everything)\b.{1,100}\b(?:should|must|can be|may be|needs? to|ha(?:s|ve) to)\b|^.{3,80} (?:can|may) be \w+ed if\b/i;

/** A norm without an order: "source maps never go to the public network". */
const never =
  /^(?!(?:it|this|that|these|those|they|i|we|he|she|there)\b).{3,60}? never (?!got|worked|did|had|was|were|been|mind|seen|saw|came|went|\w+ed\b)\w+/i;

/** What the person expects to be the case. */
const belief =
  /\bshould (?:now |already |also |still |probably |just |all )?(?:work|pass|help|fix|have|be (?:\w+ing|there|ok|okay|fine|fixed|done|good|possible|enough|available|ready|able|easy|safe|correct|a|an|in|on|at|the)\b)/i;
const errand =
  /\b(?:should|must|ha(?:s|ve) to|needs? to) (?:now )?(?:also )?be (?:fixed|adjusted|updated|changed|addressed|resolved|cleaned|done|improved|checked|investigated)\b|\b(?:we|you) need to\b(?! make)/i;

/** How the work is done: tools, places and forms that an order names, and what it keeps. */
function isWayOfWork(sentence: string): boolean {
  const said = core(sentence);
  if (keeping.test(said)) return !/^(?:keep|leave) (?:me|us|going|\w+ing|up\b|it (?:going|up)|a \w+)\b/i.test(said);
  if (tool.test(said)) return !/\bto \w{3,}\b|\bcase\b|https?:/i.test(said) && contentWords(said).length > 0;
  if (/\binstead\W*$/i.test(said)) return !subject.test(said) && !past.test(said);
  if (/\bonly\W*$/i.test(said)) return !subject.test(said) && !past.test(said) && !/\b(?:is|are)\b/i.test(said);
  return isImperative(said) && (place.test(said) || form.test(said));
}

const keeping =
  /^(?:(?:you|we) (?:can|may|should) (?:also |just |still |always )?)?(?:keep (?!in mind that (?:we|i|you) )|leave (?!a |me|us|this |it |that )|stick (?:to|with) |stay (?:with|on|in|within) |(?:preserve|retain|respect|adhere to|limit|restrict|confine) |follow (?!up|me))\S+/i;
const tool =
  /^(?:(?:you|we) (?:can|should|may) (?:always|only) )?(?:only |always )?use (?!(?:it|this|that|them|case)\b)\S+/i;
const place =
  /\b(?:in|on|into|as|to|off) (?:an?|its|their|the|one) (?:separate|own|new|dedicated|same|single|different|existing|current|fresh|draft) (?:[\w-]+ )?(?:branch|pr|pull request|commit|file|worktree|folder|directory|module|package|repo|repository|document)s?\b/i;
const form =
  /\b(?:answer|reply|respond|write|comment|report|speak|talk|summari[sz]e|return|output|print|format)\b.{0,60}\b(?:in|as) (?:\p{Lu}\p{Ll}+(?:ish|an|ese|nch|sian)\b|json|ya?ml|toml|csv|markdown|plain text|bullets?|bullet points|prose|an? (?:table|list)|tables|one (?:sentence|line|paragraph)|\d+ (?:sentences|lines|words|paragraphs))\b/iu;

/** "I don't want any padding", "I'd rather…", "it's better not to…". "I want you to…" asks for work. */
function isWish(sentence: string): boolean {
  if (/\bbetter not to\b/i.test(sentence)) return contentWords(sentence).length >= 2;
  const said = sentence.replace(opener, '');
  if (/\bprefer not to\b/i.test(said)) return true;
  if (!wish.test(said)) return false;
  const least = /\bwant (?:any|an?|the|to)\b/i.test(said) ? 1 : 2;
  return contentWords(said.replace(/\b(?:different|prefer\w*|dont)\b/gi, '')).length >= least;
}

const wish =
  /\b(?:i|we) (?:(?:really|actually|strongly|just|still) )*(?:(?:do(?:n['’]?t| not)|never) want (?!to (?:be|sound|know)\b|you to \w+ (?:it|that|this)\b)|(?:only )?prefer (?!(?:you )?to\b)|only want (?!(?:you )?to\b)|(?:would|['’]d) (?:only|rather) )|\b(?:i|we)(?:['’]d| would) prefer (?!(?:you )?to\b)|\bi want \w+ (?:\w+ )?(?:first|last|only|instead)\b(?! imp)|^(?:would )?prefer(?:ably)? (?:not )?\S+/i;

/** An order: a verb without its subject. Judged by what cannot begin one. */
export function isImperative(said: string): boolean {
  const [first = '', second = ''] = said.replace(/^[“"`*_]+/, '').split(/\s+/);
  if (!/^\p{L}{2,}$/u.test(first.replace(/-/g, '')) || noVerb.test(first) || finiteVerb.test(second)) return false;
  return (
    !/(?:ing|ed|ly|[^su]s|ness|ment|tion)$/i.test(first) ||
    /^(?:need|embed|feed|bring|string|reply|apply|comment|implement|document|mention|position)$/i.test(first)
  );
}

const noVerb =
  /^(?:the|an?|this|that|these|those|my|your|our|its|their|his|her|i|you|he|she|it|we|they|there|here|what|which|who|why|how|where|when|while|if|as|in|on|at|by|for|from|to|with|of|off|about|into|after|before|during|since|because|although|and|or|but|so|yes|no|not|is|are|was|were|be|been|am|has|have|had|does|did|can|could|will|would|shall|should|may|might|must|all|any|each|every|some|many|most|both|one|two|three|nothing|nobody|everything|anything|someone|same|more|less|only|also|still|looks?|seems?|sounds|good|great|nice|new|old|http|https|error|warning|info|note|task|step|phase|goal|purpose|rather|like|then|because|youre|im|its|thats|yes|maybe|besides|context|arguments?|output|version)$/i;
const finiteVerb =
  /^(?:is|are|was|were|has|have|had|does|did|do|can|could|will|would|shall|should|may|might|must|seems?|looks?)$/i;

/** "It always fails", "the tests never pass": how something behaves. */
const reportOfBehaviour =
  /\b(?:it|this|that|which|tests?|build|page|app|server|button|they|i)\b(?: \w+){0,2} (?:always|never)\b(?! (?:be|have|want|use|do|execute|run|show|return)\b)|\b(?:is|are) always \w+(?:ed|en)\b|\bbut (?:is )?never used\b/i;

const ruleOpening =
  /^(?:(?:and|also|but|please|remember|note|important|rule|from now on|in (?:the )?future|going forward|henceforth)[,:]? +)*(?:never|always|don['’]?t|do not|must(?:n['’]t)?|only|make sure|ensure|avoid|keep|under no circumstances)\b/i;
const ruleWithin =
  /\b(?:must(?:n['’]t| not| never| always)?|never|always|under no circumstances|(?:is|are) (?:not allowed|forbidden)|should(?:n['’]t| never| always)|from now on|going forward|at (?:most|least) \d|no more than \d)\b/i;
