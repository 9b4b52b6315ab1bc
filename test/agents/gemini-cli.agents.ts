import { describeAgent } from './every-agent';
import { geminiCli } from './gemini-cli';

await describeAgent(geminiCli);
