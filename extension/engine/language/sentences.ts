import { oncePerText } from '../conversation/once-per';
import { type ProseLine, proseLines } from './pasted';

export { isCode } from './pasted';

/** In UTF-16 units. Shorter pieces say nothing; longer ones are split, so that no word is lost. */
const lengths = { min: 4, max: 400 };

const listMark = /^(?:[-*+•]\s+|\d+[.)]\s+|#{1,6}\s+|\[[ xX]\]\s+)+/;
const sentenceEnd = /(?<=[.!?])\s+(?=["'`([\p{Lu}\p{N}])|(?<=[。！？])/u;

/** Minimum length of a line that counts as wrapped unless it ends a sentence. In UTF-16 units. */
const minWrappedLine = 60;
const maxLineLength = lengths.max * 20;

/**
 * The sentences of a text, verbatim and in order. Code blocks, table rows and pasted output are left out; list and
 * heading marks are removed. A line break ends a sentence, unless the line was wrapped within one: then it becomes a
 * space.
 */
export const sentencesOf = oncePerText((text: string): readonly string[] => {
  return unwrapped(proseLines(text)).flatMap(sentencesOfLine);
});

/** The rows of the tables in a text, without heads, each verbatim between its outer bars. */
export function tableRowsOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.flatMap((line, at) => {
    const isHead = tableRule.test(lines[at + 1] ?? '');
    const row = /^\|\s*(.+?)\s*\|$/.exec(line)?.[1];
    return row === undefined || isHead || tableRule.test(line) || row.length > lengths.max ? [] : [row];
  });
}

const tableRule = /^\|?[\s:|-]+\|[\s:|-]*$/;

function unwrapped(lines: readonly ProseLine[]): string[] {
  const whole: string[] = [];
  let before: ProseLine = null;
  for (const line of lines) {
    const joined = line !== null && before !== null && isWrapped(before, line) ? `${whole.at(-1)} ${line}` : null;
    if (joined !== null && joined.length <= maxLineLength) whole.splice(-1, 1, joined);
    else whole.push(line ?? '');
    before = line;
  }
  return whole;
}

function isWrapped(line: string, next: string): boolean {
  return line.length >= minWrappedLine && /[^.!?:;…。！？]$/.test(line) && /^\p{Ll}/u.test(next);
}

function sentencesOfLine(line: string): string[] {
  const plain = line.replace(listMark, '').slice(0, maxLineLength);
  return plain
    .split(sentenceEnd)
    .flatMap(pieces)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length >= lengths.min);
}

/** Splits a long sentence at clauses where possible, otherwise at words. */
function pieces(sentence: string): string[] {
  const found: string[] = [];
  let rest = sentence;
  while (rest.length > lengths.max) {
    const head = rest.slice(0, lengths.max);
    const clause = Math.max(head.lastIndexOf('; '), head.lastIndexOf(', '), head.lastIndexOf('. ')) + 1;
    const end = clause > lengths.max / 2 ? clause : head.lastIndexOf(' ') > 0 ? head.lastIndexOf(' ') : lengths.max;
    found.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...found, rest];
}

/** Words for what must, must not or may only be done, in the most common languages of users. */
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

/** Describes behaviour instead of demanding it: "it only prints a line", "I can't see it". */
const report =
  /\b(?:i|it|that|this|which|he|she|they|there)\s+(?:(?:still|just|really|also)\s+)?(?:can(?:no|['’])t|does(?:n['’]t| not)|do(?:n['’]t| not)|only)\b(?!\s+(?:want|like|need|have to|be\b|use|touch|change))/gi;

/** Whether a sentence states a rule. Questions and mere conditions do not. */
export const isConstraint = oncePerText((sentence: string): boolean => {
  const told = withoutCondition(sentence).replace(report, ' ').replace(indirectQuestion, ' ');
  return !isQuestion(sentence) && constraintCue.test(told);
});

/** Asks what to do instead of demanding it: "tell me where those modules should go". */
const indirectQuestion = /\b(?:where|how|what|why|whether)\s[^.,;:]{0,80}?\bshould(?:n['’]t)?\b/gi;

export function isQuestion(sentence: string): boolean {
  return /[?？][\s"'”’`)\]*_]*$/.test(sentence);
}

const condition =
  /^(?:(?:and|but|so|then|or)\s+)?(?:if|when|whenever|unless|in case|suppose|assuming|wenn|falls|si|если|如果|もし)(?!\p{L})[^,，、;:]*[,，、;:]?/iu;

/** "If we only did X, it would break" is no rule; "If you touch it, always run the tests" is one after the comma. */
export function withoutCondition(sentence: string): string {
  return sentence.replace(condition, '');
}

export function isConditional(sentence: string): boolean {
  return condition.test(sentence);
}
