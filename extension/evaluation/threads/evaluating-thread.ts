import { evaluateHere } from './evaluate-here';
import { workOnce } from './working-thread';

/** The program of a thread that evaluates, and has playing threads of its own do the playing. */
void workOnce(evaluateHere);
