/** Longer than this is no sentence but a dump; shorter says nothing. In UTF-16 units. */
const lengths = { least: 8, most: 400 };

const listMark = /^(?:[-*+>•]\s+|\d+[.)]\s+|#{1,6}\s+|\[[ xX]\]\s+)+/;
const sentenceEnd = /(?<=[.!?])\s+(?=["'`([\p{Lu}\p{N}])/u;

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
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length >= lengths.least && sentence.length <= lengths.most);
}

/** What a person says must, must not or may only be done. */
const constraintCue =
  /\b(?:must(?:n['’]t)?|never|always|only|don['’]?t|do not|cannot|can['’]t|without|required?|make sure|ensure|at most|at least|no more than|keep|avoid|forbidden|not allowed|instead of|should(?:n['’]t)?)\b/i;

export function isConstraint(sentence: string): boolean {
  return constraintCue.test(sentence);
}
