import { describeAgent } from './every-agent';
import { kilo } from './kilo';

await describeAgent(kilo);
