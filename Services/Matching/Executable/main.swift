import Matching

await Matching.program.run()
