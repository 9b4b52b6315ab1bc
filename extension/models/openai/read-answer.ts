import type { Completion } from '../../engine/block/language-model';
import { CappedText, type TextCap } from '../capped-text';
import type { AnswerEvent } from './chat-events';

export interface Read {
  /** Without reasoning. */
  readonly text: string;
  /** Why the answer ended; `length` also if it was cut off here; null if the stream gave no reason. */
  readonly finish: string | null;
  readonly usage: Completion['tokens'] | null;
  readonly hasReasoned: boolean;
}

interface Listeners {
  readonly onEvent: () => void;
  readonly onText?: (text: string) => void;
}

/** Reads an answer to its end or to its maximum length. */
export async function readAnswer(
  events: AsyncIterable<AnswerEvent>,
  cap: TextCap,
  { onEvent, onText }: Listeners,
): Promise<Read> {
  const answer = new CappedText(cap);
  let finish: string | null = null;
  let hasDeclined = false;
  let usage: Completion['tokens'] | null = null;
  for await (const event of events) {
    onEvent();
    if (event.kind === 'finished' && !hasDeclined) finish = event.reason;
    if (event.kind === 'refusal') {
      hasDeclined = true;
      finish = 'content_filter';
    }
    if (event.kind === 'usage') usage = { input: event.input, output: event.output };
    if (add(answer, event)) {
      finish = 'length';
      break;
    }
    if (event.kind === 'text') onText?.(answer.text);
  }
  return { text: answer.text, finish, usage, hasReasoned: answer.hasReasoned };
}

/** True once the maximum length is reached. */
function add(answer: CappedText, event: AnswerEvent): boolean {
  if (event.kind === 'text') return answer.add(event.text);
  return event.kind === 'reasoning' && answer.addReasoning(event.text);
}
