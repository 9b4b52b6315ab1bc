import { shortTime } from '../../engine/memory/observation-lines';
import type { Inspection } from '../inspection';
import { BudgetedText, beginningThatFits, cutMark, type TokenBudget } from './budget';
import { type Passage, placeOf, speakerOf } from './passages';
import { type PassageHit, type SearchTools, searchPassages } from './search-passages';
import { goalLine, sessionLine } from './session-line';

/** Minimum tokens of a cut excerpt; a shorter one would be meaningless. */
const shortestExcerpt = 40;

/** Maximum number of excerpts. */
const mostExcerpts = 20;

/** Answers a question with verbatim excerpts of a session, best first, each with speaker, time and place. */
export async function answerFromSession(
  inspection: Inspection,
  question: string,
  budget: TokenBudget,
  tools: SearchTools,
): Promise<string> {
  const hits = await searchPassages(inspection.session.conversation.entries, question, tools);
  const answer = new BudgetedText(budget);
  answer.addCut(sessionLine(inspection.session));
  answer.addCut(goalLine(inspection));
  if (hits.length === 0) answer.addCut(nothingFits(inspection));
  else addExcerpts(answer, hits, budget);
  return answer.text;
}

function nothingFits({ session: { conversation } }: Inspection): string {
  const messages = conversation.entries.length;
  return `Nothing in its ${messages} messages fits the question. Ask with words that were said there: names, paths, errors.`;
}

function addExcerpts(answer: BudgetedText, hits: readonly PassageHit[], budget: TokenBudget): void {
  answer.addCut('Excerpts, verbatim, the best first:');
  for (const [index, { passage }] of hits.slice(0, mostExcerpts).entries()) {
    const excerpt = excerptText(index + 1, passage, passage.text.trim());
    if (answer.add(excerpt)) continue;
    addBeginning(answer, index + 1, passage, budget);
    return;
  }
}

function addBeginning(answer: BudgetedText, number: number, passage: Passage, { count }: TokenBudget): void {
  const place = excerptText(number, passage, '');
  const tokens = answer.left - answer.costOf(place);
  if (tokens < shortestExcerpt && number > 1) return;
  const text = beginningThatFits(passage.text.trim(), { tokens, count });
  if (text !== '') answer.add(excerptText(number, passage, text + cutMark));
}

function excerptText(number: number, passage: Passage, text: string): string {
  const { entry } = passage;
  return `\n[${number}] ${speakerOf(passage)}, ${shortTime(entry.timestamp)}, ${placeOf(entry)}\n${text}`;
}
