import { replayHere } from './replay-here';
import { workOnce } from './working-thread';

/** Program of a thread that replays sessions. */
void workOnce(replayHere, ({ bytes }) => [bytes.buffer as ArrayBuffer]);
