import { howToRecall } from '../../extension/engine/block/omission';
import { type Entry, inputText } from '../../extension/engine/conversation/entry';
import { referenceOf } from '../../extension/engine/conversation/reference';

const labels =
  /^(?:## (?:Earlier turns|Files, newest first(?:, in .+)?|Commands|Calls|Still open on my to-do list|Where I am|In this turn)|User:|I:|I, after [\d,]+ calls?(?: \[[a-z.]+\])?:|\((?:[\d,]+ calls?(?: \[[a-z.]+\])?, )?no answer(?:: the user interrupted me)?\)|The newest request:|What I said last:|My last \d+ texts:|What I said before that, the first sentence of each text:|My summary of what came before:|My to-do list:|User: \(this message is in the protected core\)|User: \(the beginning of this message is in the protected core; it goes on\)|\(The record goes on after this\.\))$/;
const mark = /^\[… [\d,]+ [a-z].*\]$/;

/** The tool with which the agent in these tests looks things up. */
export const recallTool = 'strata_recall';

/** The references in a block; for a range, both ends. */
export function referencesIn(block: string): string[] {
  const marks = block.matchAll(/\[(?:… [^\]]*: )?([a-z]{6})(?:\.\.([a-z]{6}))?\]/g);
  return [...marks].flatMap(([, first = '', last]) => (last === undefined ? [first] : [first, last]));
}

/**
 * The lines of a block without a model that are neither a quotation of one entry nor an omission mark nor a line of the
 * ledger, or whose reference leads nowhere.
 */
export function untracedLines(block: string, entries: readonly Entry[]): string[] {
  const texts = entries.map((entry) => folded(entry.parts.map(textOfPart).join('\n')));
  const isSaid = (text: string) => text === '' || texts.some((said) => said.includes(folded(text)));
  const references = new Set(entries.map(referenceOf));
  return block.split('\n').filter((line) => {
    if (line === howToRecall(recallTool)) return false;
    if (!referencesIn(line).every((reference) => references.has(reference))) return true;
    if (line === '' || labels.test(line) || mark.test(line)) return false;
    if (line.startsWith('>')) return !isSaid(line.slice(1));
    const quotations = [...line.matchAll(/“(.*?)”(?= \[|[:.)]| · |$)/gs)].map(([, text = '']) => text);
    return !(line.startsWith('- ') || quotations.length > 0) || !quotations.every(isSaid);
  });
}

function textOfPart(part: Entry['parts'][number]): string {
  if (part.type === 'tool_call') return `${part.name} ${argumentsOf(part.input)}`;
  return 'text' in part ? part.text : '';
}

/** The arguments as a line of the ledger shows them: first as values, then as JSON. */
function argumentsOf(input: unknown): string {
  const values = typeof input === 'object' && input !== null ? Object.values(input) : [];
  return [...values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))), inputText(input)].join(
    '\n',
  );
}

function folded(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
