import type { ByteSource } from '../../models/http/answer';
import { othersHadTheirTurn } from '../../platform/files/in-slices';
import type { PassingAnswer } from '../requests/passing-answer';
import type { AnswerReader } from './protocol';

/** Stores an answer while it streams through. Never throws or waits. Reads what was received after the client has it. */
export function answerObserver(answer: PassingAnswer, reader: AnswerReader): BodyObserver {
  const decoder = new TextDecoder();
  let received = '';
  const read = () => {
    const text = received;
    received = '';
    if (text !== '') answer.safely(() => answer.add(reader.read(text)));
  };
  return {
    chunk: (bytes) => {
      answer.safely(() => {
        received += decoder.decode(bytes, { stream: true });
      });
      void othersHadTheirTurn().then(read);
    },
    end: (how) => {
      read();
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

/** The body was complete, the source failed, or the reader cancelled. */
type BodyEnd = 'complete' | 'broken' | 'cancelled';

/** Observes a body while it streams through. */
export interface BodyObserver {
  chunk(bytes: Uint8Array): void;
  /** Called once at the end. */
  end(how: BodyEnd): void;
}

/** Passes the same bytes through. Reads only on demand; cancelling cancels the source. */
export function observed(source: ByteSource, observer: BodyObserver): ByteSource {
  let isOver = false;
  const end = (how: BodyEnd) => {
    if (!isOver) observer.end(how);
    isOver = true;
  };
  return {
    async read() {
      const next = await source.read().catch((error: unknown) => {
        end('broken');
        throw error;
      });
      if (next.done) end('complete');
      else if (!isOver) observer.chunk(next.value);
      return next;
    },
    cancel(reason) {
      end('cancelled');
      return source.cancel(reason);
    },
  };
}
