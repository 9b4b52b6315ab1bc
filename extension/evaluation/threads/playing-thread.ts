import { parentPort, workerData } from 'node:worker_threads';
import { toolsWithoutModel } from '../../summarizers/without-model';
import { reader } from '../measure/probes/reader';
import { playHere } from '../play-here';
import type { PlayReply, PlayRequest, ThreadStart } from './messages';

/** Program of a thread that plays units without a model, one after the other. */

const { tasks, settings } = workerData as ThreadStart;
const play = playHere(tasks, settings, { writing: toolsWithoutModel, respondent: reader, judge: null });
/** The owner cancels by terminating the thread. */
const never = new AbortController().signal;

parentPort?.on('message', ({ unit }: PlayRequest) => {
  void play(unit, never).then(
    ({ line, texts }) => reply({ kind: 'played', line, texts: [...texts] }),
    (error: unknown) =>
      reply({ kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});

function reply(message: PlayReply): void {
  parentPort?.postMessage(message);
}
