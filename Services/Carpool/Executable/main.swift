import Carpool

await Carpool.program.run()
