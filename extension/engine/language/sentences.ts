import { type SpokenLine, spokenLines } from './pasted';

export { isCode } from './pasted';

/** A shorter piece says nothing; a longer one is cut, so that no word of a person is passed over. In UTF-16 units. */
const lengths = { least: 4, most: 400 };

const listMark = /^(?:[-*+•]\s+|\d+[.)]\s+|#{1,6}\s+|\[[ xX]\]\s+)+/;
const sentenceEnd = /(?<=[.!?])\s+(?=["'`([\p{Lu}\p{N}])|(?<=[。！？])/u;

/** A line as long as this was wrapped, unless it ends a sentence. In UTF-16 units. */
const shortestWrapped = 60;
const longestLine = lengths.most * 20;

/**
 * The sentences of a text, verbatim and in order. Code blocks, table rows and pasted output are left out; list marks and
 * heading marks are cut off. A line break ends a sentence, unless the line was wrapped in the middle of one: then a
 * space stands for it.
 */
export function sentencesOf(text: string): string[] {
  return unwrapped(spokenLines(text)).flatMap(sentencesOfLine);
}

function unwrapped(lines: readonly SpokenLine[]): string[] {
  const whole: string[] = [];
  let before: SpokenLine = null;
  for (const line of lines) {
    const joined = line !== null && before !== null && goesOn(before, line) ? `${whole.at(-1)} ${line}` : null;
    if (joined !== null && joined.length <= longestLine) whole.splice(-1, 1, joined);
    else whole.push(line ?? '');
    before = line;
  }
  return whole;
}

function goesOn(line: string, next: string): boolean {
  return line.length >= shortestWrapped && /[^.!?:;…。！？]$/.test(line) && /^\p{Ll}/u.test(next);
}

function sentencesOfLine(line: string): string[] {
  const plain = line.replace(listMark, '').slice(0, longestLine);
  return plain
    .split(sentenceEnd)
    .flatMap(pieces)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length >= lengths.least);
}

/** A long sentence in pieces that end with a clause where there is one, else with a word. */
function pieces(sentence: string): string[] {
  const found: string[] = [];
  let rest = sentence;
  while (rest.length > lengths.most) {
    const head = rest.slice(0, lengths.most);
    const clause = Math.max(head.lastIndexOf('; '), head.lastIndexOf(', '), head.lastIndexOf('. ')) + 1;
    const end = clause > lengths.most / 2 ? clause : head.lastIndexOf(' ') > 0 ? head.lastIndexOf(' ') : lengths.most;
    found.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...found, rest];
}

/** What a person says must, must not or may only be done, in the languages that people most often write to agents in. */
const constraintCue = new RegExp(
  [
    /(?<![\p{L}\p{N}_])(?:must(?:n['’]t)?|never|always|only|don['’]?t|do not|cannot|can['’]t|without|required?|make sure|ensure|at most|at least|no more than|keep|avoid|forbidden|not allowed|instead of|should(?:n['’]t)?)(?![\p{L}\p{N}_])/u,
    /(?<!\p{L})(?:muss|müssen|darf|dürfen|nie|niemals|immer|nur|ohne|kein(?:e[nmrs]?)?|mindestens|höchstens|statt(?:dessen)?)(?!\p{L})/u,
    /(?<!\p{L})(?:jamais|toujours|doit|doivent|seulement|uniquement|au moins|nunca|siempre|debe[ns]?|solamente|al menos|sempre|deve[m]?|apenas|никогда|всегда|нельзя|только|обязательно)(?!\p{L})/u,
    /必须|不要|不能|不得|不准|只能|禁止|务必|总是|切勿|必ず|しないで|してはいけない|だけに|なければならない/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'iu',
);

/** Tells how something behaves, not how it shall: "it only prints a line", "I can't see it". */
const report =
  /\b(?:i|it|that|this|which|he|she|they|there)\s+(?:(?:still|just|really|also)\s+)?(?:can(?:no|['’])t|does(?:n['’]t| not)|do(?:n['’]t| not)|only)\b(?!\s+(?:want|like|need|have to|be\b|use|touch|change))/gi;

/** A sentence of the person that lays down a rule. What asks, and what only a condition says, lays down none. */
export function isConstraint(sentence: string): boolean {
  const told = withoutCondition(sentence).replace(report, ' ').replace(indirectQuestion, ' ');
  return !isQuestion(sentence) && constraintCue.test(told);
}

/** Asks what shall be, and does not say it: "tell me where those modules should go". */
const indirectQuestion = /\b(?:where|how|what|why|whether)\s[^.,;:]{0,80}?\bshould(?:n['’]t)?\b/gi;

export function isQuestion(sentence: string): boolean {
  return /[?？][\s"'”’`)\]*_]*$/.test(sentence);
}

const condition =
  /^(?:(?:and|but|so|then|or)\s+)?(?:if|when|whenever|unless|in case|suppose|assuming|wenn|falls|si|если|如果|もし)(?!\p{L})[^,，、;:]*[,，、;:]?/iu;

/** "If we only did X, it would break" is no rule; "If you touch it, always run the tests" is one after its comma. */
function withoutCondition(sentence: string): string {
  return sentence.replace(condition, '');
}

export function isConditional(sentence: string): boolean {
  return condition.test(sentence);
}
