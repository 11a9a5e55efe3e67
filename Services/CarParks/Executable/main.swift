import CarParks

await CarParks.program.run()
