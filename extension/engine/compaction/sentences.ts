/** A shorter piece says nothing; a longer one is cut, so that no word of a person is passed over. In UTF-16 units. */
const lengths = { least: 4, most: 400 };

const listMark = /^(?:[-*+>•]\s+|\d+[.)]\s+|#{1,6}\s+|\[[ xX]\]\s+)+/;
const sentenceEnd = /(?<=[.!?])\s+(?=["'`([\p{Lu}\p{N}])|(?<=[。！？])/u;

/**
 * The sentences of a text, verbatim and in order. Code blocks and table rows are left out; list marks and heading
 * marks are cut off. A line break ends a sentence.
 */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let inCode = false;
  for (const line of text.split('\n')) {
    const trimmed = line.trim();
    if (trimmed.startsWith('```')) inCode = !inCode;
    else if (!inCode && !trimmed.startsWith('|')) sentences.push(...sentencesOfLine(trimmed));
  }
  return sentences;
}

function sentencesOfLine(line: string): string[] {
  const plain = line.replace(listMark, '').slice(0, lengths.most * 20);
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

const codeMark = /[;{}]$|=>|➜|^(?:at|import|export|return|const|let|var|function)\s.*[(){};]|\(node:|^\$ /;

/** A pasted line of code, of a log or of a stack trace: not something that anyone says. */
export function isCode(sentence: string): boolean {
  const letters = sentence.replace(/[^\p{L}\p{M} ]/gu, '').length;
  return codeMark.test(sentence) || letters < sentence.length * 0.7;
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
  return !isQuestion(sentence) && constraintCue.test(withoutCondition(sentence).replace(report, ' '));
}

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
