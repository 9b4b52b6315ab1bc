/** All of it has passed, it broke off, or its reader went away. */
export type BodyEnd = 'complete' | 'broken' | 'cancelled';

/** Sees a body while it passes. */
export interface BodyObserver {
  chunk(bytes: Uint8Array): void;
  /** Once, when no more comes. */
  end(how: BodyEnd): void;
}

/** The same bytes. Nothing is read before it is asked for, and whoever cancels cancels the source. */
export function observed(
  source: ReadableStream<Uint8Array<ArrayBuffer>>,
  observer: BodyObserver,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = source.getReader();
  let isOver = false;
  const end = (how: BodyEnd) => {
    if (!isOver) observer.end(how);
    isOver = true;
  };
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const next = await reader.read().catch((error: unknown) => {
          end('broken');
          throw error;
        });
        if (isOver) return;
        if (next.done) {
          end('complete');
          controller.close();
        } else {
          observer.chunk(next.value);
          controller.enqueue(next.value);
        }
      },
      cancel(reason) {
        end('cancelled');
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
