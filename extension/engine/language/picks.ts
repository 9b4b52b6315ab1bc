import { contentWords } from './content-words';
import type { Utterance } from './directions';
import type { Option } from './options';
import { isStep } from './remarks';

/** More are a list of work to choose from. */
const maxAlternatives = 6;

/**
 * Whether an option that the person picked is the next thing to do, rather than how something is to be: a step that was
 * offered without asking which way to go, or an item of a long list.
 */
export function isWorkPicked({ text: answer, question }: Utterance, { text, of }: Option): boolean {
  if (of > maxAlternatives || (question === null && !lettered.test(answer))) return true;
  const asksWhich = question !== null && alternatives.test(question) && !offersWork.test(question);
  return !asksWhich && (isStep(text) || offersWork.test(question ?? ''));
}

/** What the person gave as the reason beside the number; null if it is only the number. */
export function remarkOnPick({ text }: Utterance): string | null {
  const remark = text.replace(number, '').trim();
  return contentWords(remark).length >= minRemarkWords ? remark : null;
}

/** Alternatives have letters; a list of what to do next has numbers. */
const lettered = /^\W*(?:option )?[a-h]\b/i;

const alternatives = /\b(?:which|how|what|where|when|who|prefer|or|approach|option|welche[rs]?|wie|wo|oder)\b/i;
const offersWork =
  /\b(?:want|like) me to\b|\b(?:shall|should) (?:i|we)\b|\b(?:next|ensuite|encha[iî]ner|als nächstes)\b/i;
const number = /^\W*(?:(?:option|number|nr\.?|no\.) )?[#(]?(?:\d{1,2}|[a-h])[).:,]?(?=\W|$)/i;
const minRemarkWords = 3;
