import { serveOwner } from '../../platform/threads/serve-owner';
import { replayHere } from './replay-here';

/** Program of a thread that replays sessions. */
serveOwner({ work: replayHere });
