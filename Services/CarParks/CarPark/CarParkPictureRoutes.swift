import Contracts
import Hummingbird
import ServiceKit

/// The routes of car parks' pictures.
struct CarParkPictureRoutes: Sendable {
    let pictures: CarParkPictures

    func add(to router: Router<Context>) {
        router.on(CarParkPhotoEndpoints.addCarParkPhoto) { call in
            try await pictures.add(call.bytes(), to: call.carPark(), by: call.person.person).reply()
        }
        router.on(CarParkPhotoEndpoints.putCarParkPhotos) { call in
            try await pictures.arrange(
                call.body.photos, of: call.carPark(), by: call.person.person,
                ifVersion: call.ifMatch
            ).reply()
        }
        router.on(CarParkPhotoEndpoints.carParkPicture) { call in
            let id: PictureID = try call.id()
            let blob = try await pictures.pictures.picture(id)
            return PictureReply(
                blob.data, contentType: blob.contentType, publicAs: id.description)
        }
    }
}
