import { workerData } from 'node:worker_threads';
import { serveOwner } from '../../platform/threads/serve-owner';
import { toolsWithoutModel } from '../../summarizers/without-model';
import { reader } from '../measure/probes/reader';
import { playHere } from '../play-here';
import type { PlayingContract, PlayingStart } from './messages';

/** Program of a thread that plays units without a model, one after the other. */

const { tasks, settings } = workerData as PlayingStart;
const play = playHere(tasks, settings, { writing: toolsWithoutModel, respondent: reader, judge: null });

serveOwner<PlayingContract>({ play: (unit, { signal }) => play(unit, signal) });
