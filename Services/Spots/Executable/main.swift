import Spots

await Spots.program.run()
