import { serveOwner } from '../../../platform/threads/serve-owner';
import type { ReadingContract } from './messages';
import { ResultsReader } from './results-reader';

/** Program of the thread that reads results and computes reports. Large results would block the host. */

const reader = new ResultsReader();

serveOwner<ReadingContract>({
  read: ({ places, method, params }) => reader.read(places, method, params as never),
});
