import type { KeptAnswer } from '../requests/kept-answer';
import type { BodyObserver } from './observed';
import type { AnswerReader } from './protocol';

/** Stores an answer while it streams through. Never throws or waits. */
export function answerObserver(answer: KeptAnswer, reader: AnswerReader): BodyObserver {
  const decoder = new TextDecoder();
  return {
    chunk: (bytes) => answer.safely(() => answer.add(reader.read(decoder.decode(bytes, { stream: true })))),
    end: (how) => {
      let isWhole = false;
      answer.safely(() => {
        const end = reader.end();
        answer.add(end.pieces);
        isWhole = end.isWhole;
      });
      // Many clients disconnect as soon as they have what they need.
      if (isWhole) void answer.end('answered');
      else void (how === 'cancelled' ? answer.end('cancelled') : answer.failed());
    },
  };
}
