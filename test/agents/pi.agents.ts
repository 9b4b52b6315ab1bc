import { describeAgent } from './every-agent';
import { pi } from './pi';

await describeAgent(pi);
