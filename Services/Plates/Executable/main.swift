import Plates

await Plates.program.run()
