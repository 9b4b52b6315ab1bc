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

/** What a person says must, must not or may only be done. */
const constraintCue =
  /\b(?:must(?:n['’]t)?|never|always|only|don['’]?t|do not|cannot|can['’]t|without|required?|make sure|ensure|at most|at least|no more than|keep|avoid|forbidden|not allowed|instead of|should(?:n['’]t)?)\b/i;

export function isConstraint(sentence: string): boolean {
  return constraintCue.test(sentence);
}
