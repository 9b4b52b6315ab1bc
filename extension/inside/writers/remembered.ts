import type { AgentPlaces } from '../places';
import { readPrivate, writePrivate } from '../private-file';
import { readSetup } from '../service/setup';
import type { WrittenWriter } from '../service/writer';
import { writerShape } from '../service/writer';

/** The person's last answer to the question who writes: given in the editor, which has settings for it, or on a terminal. */
export async function rememberedWriter(places: Pick<AgentPlaces, 'setup' | 'writer'>): Promise<WrittenWriter> {
  const setup = await readSetup(places.setup);
  if (setup !== null && setup.writer.kind !== 'unanswered') return setup.writer;
  return (await readPrivate(places.writer, writerShape)) ?? { kind: 'unanswered' };
}

/** Remembers an answer that was given on a terminal. */
export async function rememberWriter({ writer }: Pick<AgentPlaces, 'writer'>, answer: WrittenWriter): Promise<void> {
  await writePrivate(writer, answer);
}
