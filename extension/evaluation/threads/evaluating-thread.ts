import { evaluateHere } from './evaluate-here';
import { workOnce } from './working-thread';

/** Program of the thread that runs an evaluation. It starts playing threads of its own. */
void workOnce(evaluateHere);
